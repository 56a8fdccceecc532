import { randomInt } from 'node:crypto';
import type { EdgeLimit } from '../config/edge-limit.js';

/** Entries that one network may have its place among. */
const WAYS = 8;
/** 3 MB. More networks that are busy at once than this, and those that used least are forgotten. */
const DEFAULT_ENTRIES = 131_072;

/**
 * The edge's own limit: GCRA with one time a network, in a table of fixed size. It is here for floods, so a request costs a hash and up to
 * eight comparisons, allocates nothing and sets no timer.
 *
 * An entry holds the whole address, so two networks that hash to the same place are never taken for one: when all eight places are taken,
 * the entry that would be free first goes. Its network is forgiven what it used, nobody is refused for what another one did.
 */
export class EdgeTable {
  private readonly keys: Uint32Array;
  /** Theoretical arrival times, in ticks of 1 / limit ms: whole numbers, so nothing drifts. 0: free. */
  private readonly times: Float64Array;
  private readonly sets: number;
  /** By chance, so that places cannot be aimed at. */
  private readonly seed = randomInt(2 ** 32);
  private readonly burstTicks: number;
  private readonly costTicks: number;
  private readonly ticksPerMs: number;

  /** @param entries a power of two, at least 8 */
  constructor({ limit, windowMs }: EdgeLimit, entries = DEFAULT_ENTRIES) {
    this.sets = entries / WAYS;
    this.keys = new Uint32Array(entries * 4);
    this.times = new Float64Array(entries);
    this.ticksPerMs = limit;
    this.costTicks = windowMs;
    this.burstTicks = windowMs * limit;
  }

  /**
   * Takes a permit of the network. At most 2 x limit pass in any window, limit in the long run.
   *
   * @param nowMs whole ms of a clock that never goes back
   * @returns 0 when there was one, else whole ms until there is, if nobody else takes it
   */
  take(network: Uint32Array, nowMs: number): number {
    const now = nowMs * this.ticksPerMs;
    const entry = this.entryOf(network, now);
    const arrival = Math.max(this.times[entry] ?? 0, now) + this.costTicks;
    const early = arrival - now - this.burstTicks;
    if (early > 0) return Math.ceil(early / this.ticksPerMs);
    this.times[entry] = arrival;
    return 0;
  }

  /** Whole ms until the network has all its permits again. */
  freeInMs(network: Uint32Array, nowMs: number): number {
    const now = nowMs * this.ticksPerMs;
    return Math.max(0, Math.ceil(((this.times[this.entryOf(network, now)] ?? 0) - now) / this.ticksPerMs));
  }

  /** The entry of the network, or the one that it gets: free, or the one that would be free first. */
  private entryOf(network: Uint32Array, now: number): number {
    const first = (this.hash(network) % this.sets) * WAYS;
    let earliest = first;
    for (let entry = first; entry < first + WAYS; entry += 1) {
      if (this.isOf(entry, network)) return entry;
      if ((this.times[entry] ?? 0) < (this.times[earliest] ?? 0)) earliest = entry;
    }
    this.keys.set(network, earliest * 4);
    this.times[earliest] = now;
    return earliest;
  }

  private isOf(entry: number, network: Uint32Array): boolean {
    const { keys } = this;
    const at = entry * 4;
    return keys[at] === network[0] && keys[at + 1] === network[1] && keys[at + 2] === network[2] && keys[at + 3] === network[3];
  }

  /** The mixing of murmur3, with a seed. */
  private hash(network: Uint32Array): number {
    let hash = this.seed;
    for (let at = 0; at < 4; at += 1) {
      let word = Math.imul(network[at] ?? 0, 0xcc9e2d51);
      word = Math.imul((word << 15) | (word >>> 17), 0x1b873593);
      hash ^= word;
      hash = Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64;
    }
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return (hash ^ (hash >>> 16)) >>> 0;
  }
}
