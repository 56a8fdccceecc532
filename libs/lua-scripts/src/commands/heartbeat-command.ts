import { heartbeat } from '../generated/heartbeat.js';
import { type ScriptCommand, ScriptReplyError } from '../script-command.js';
import { requireInteger } from './require-integer.js';

/** More nodes than this are not told apart: the set stays below some 10 MB whatever beats. */
const MAX_NODES = 100_000;

/** What a beat comes back with. */
export interface HeartbeatReply {
  /** Nodes seen within the ttl, the one that beats included. */
  readonly nodes: number;
  /** The store's clock, ms. */
  readonly nowMs: number;
  /** How many of them come before this one by name: different for each, and the same until the fleet is another. */
  readonly place: number;
}

export interface HeartbeatOptions {
  readonly maxNodes?: number;
  /** For tests: beats at this time, in ms, instead of the store's. */
  readonly nowMs?: number | undefined;
}

/**
 * Says that a node lives, and asks how many do (R41). `ttlMs` 0: it leaves. Sending one twice does no harm. Throws a RangeError for
 * a ttl that is not an integer of at least 0.
 *
 * @param key {@link nodesKey}
 */
export function heartbeatCommand(key: string, nodeId: string, ttlMs: number, options: HeartbeatOptions = {}): ScriptCommand<HeartbeatReply> {
  const { maxNodes = MAX_NODES, nowMs } = options;
  requireInteger('ttlMs', ttlMs, 0);
  requireInteger('maxNodes', maxNodes, 1);
  const args = [nodeId, String(ttlMs), String(maxNodes)];
  if (nowMs !== undefined) {
    requireInteger('nowMs', nowMs, 0);
    args.push(String(nowMs));
  }
  return { script: heartbeat, keys: [key, key.includes('{') ? `${key}o` : `{${key}}o`], args, decode: decodeHeartbeat };
}

/** Further fields of a later version are not in the way. */
function decodeHeartbeat(reply: unknown): HeartbeatReply {
  const [nodes, nowMs, place]: readonly unknown[] = Array.isArray(reply) ? reply : [];
  if (!isCount(nodes) || !isCount(nowMs) || !isCount(place)) throw new ScriptReplyError(reply);
  return { nodes, nowMs, place };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
