import { BoundedTallies } from './bounded-tallies.js';
import { DEFAULT_BUCKET_MS, DEFAULT_MOST_NAMES, MOST_BUCKETS, type ReplayOptions } from './replay-options.js';
import type { Counter } from './counter.js';
import type { ReplayRequest } from './replay-request.js';
import { Tally } from './tally.js';
import { TimeTallies } from './time-tallies.js';

/** Names the key of a request, by the first of these that it has: as messages of the stream are spread. */
export const KEY_ATTRIBUTES = ['key_id', 'tenant_id', 'ip'] as const;
export type KeyAttribute = (typeof KEY_ATTRIBUTES)[number];

/** What really happened, by the rule that refused. */
export interface RecordedRule {
  refused: number;
  newlyAllowed: number;
}

const MOST_RECORDED_RULES = 20_000;

/** All sums of a replay but those of its rules. */
export class ReplaySums {
  readonly total = new Tally();
  readonly plans: BoundedTallies;
  readonly endpoints: BoundedTallies;
  readonly keys: Readonly<Record<KeyAttribute, BoundedTallies>>;
  readonly times: TimeTallies;
  /** By rules as they were when it happened. */
  readonly recorded = new Map<string, RecordedRule>();
  outOfOrder = 0;
  /** Whether any event stood for more than itself. */
  sampled = false;
  /** The most that one event stood for. */
  greatestWeight = 1;

  constructor({ bucketMs = DEFAULT_BUCKET_MS, mostNames = DEFAULT_MOST_NAMES }: ReplayOptions) {
    this.plans = new BoundedTallies(mostNames);
    this.endpoints = new BoundedTallies(mostNames);
    this.keys = { key_id: new BoundedTallies(mostNames), tenant_id: new BoundedTallies(mostNames), ip: new BoundedTallies(mostNames) };
    this.times = new TimeTallies(bucketMs, MOST_BUCKETS);
  }

  /** @param byKey a counter of the request's `key_id`, if there is one */
  add({ attributes, atMs, cost, wasAllowed, refusedBy }: ReplayRequest, requests: number, refused: number, share: number, byKey: Counter | undefined): void {
    this.addToAll(atMs, cost, share, wasAllowed, requests, refused);
    const { plan, endpoint, key_id, tenant_id, ip } = attributes;
    if (plan !== undefined) this.plans.of(plan).add(requests, refused, cost, share, wasAllowed);
    if (endpoint !== undefined) this.endpoints.of(endpoint).add(requests, refused, cost, share, wasAllowed);
    if (key_id !== undefined) this.keyTally(key_id, byKey).add(requests, refused, cost, share, wasAllowed);
    else if (tenant_id !== undefined) this.keys.tenant_id.of(tenant_id).add(requests, refused, cost, share, wasAllowed);
    else if (ip !== undefined) this.keys.ip.of(ip).add(requests, refused, cost, share, wasAllowed);
    if (wasAllowed === false && refusedBy !== undefined) this.addRecorded(refusedBy, requests, requests - refused);
  }

  /** To what every request counts in. */
  addToAll(atMs: number, cost: number, share: number, wasAllowed: boolean | undefined, requests: number, refused: number): void {
    if (share < 1) {
      this.sampled = true;
      if (requests > this.greatestWeight) this.greatestWeight = requests;
    }
    this.total.add(requests, refused, cost, share, wasAllowed);
    this.times.at(atMs).add(requests, refused, cost, share, wasAllowed);
  }

  private keyTally(keyId: string, byKey: Counter | undefined): Tally {
    const { key_id: keys } = this.keys;
    if (byKey === undefined) return keys.of(keyId);
    if (byKey.tally === undefined || byKey.tallyEpoch !== keys.epoch) {
      byKey.tally = keys.of(keyId);
      byKey.tallyEpoch = keys.epoch;
    }
    return byKey.tally;
  }

  /** What really happened, by the rule that refused. */
  addRecorded(ruleId: string, refused: number, newlyAllowed: number): void {
    let rule = this.recorded.get(ruleId);
    if (rule === undefined) {
      if (this.recorded.size >= MOST_RECORDED_RULES) return;
      rule = { refused: 0, newlyAllowed: 0 };
      this.recorded.set(ruleId, rule);
    }
    rule.refused += refused;
    rule.newlyAllowed += newlyAllowed;
  }
}
