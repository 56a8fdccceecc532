import type { Cluster, Redis } from 'ioredis';
import { ALGORITHM_SCRIPTS } from '../commands/algorithm-scripts.js';
import { claimMove } from '../generated/claim-move.js';
import { claim } from '../generated/claim.js';
import { heartbeat } from '../generated/heartbeat.js';
import { reserve } from '../generated/reserve.js';
import { reset } from '../generated/reset.js';
import { splits } from '../generated/splits.js';
import { takeAll } from '../generated/take-all.js';
import { usageSlidingCounter } from '../generated/usage-sliding-counter.js';
import type { ScriptClient } from './script-client.js';

/**
 * Makes every script known to the server, or to each master of the cluster, so that the first calls do not all meet NOSCRIPT.
 * Only a warm-up: a server that restarts or is promoted later learns them by EVAL.
 */
export async function loadScripts(client: ScriptClient): Promise<void> {
  const own = Object.values(ALGORITHM_SCRIPTS).flatMap(({ take, refund, charge }) => [take, refund, charge]);
  const sources = [...own, takeAll, reset, usageSlidingCounter, reserve, claim, heartbeat, splits, claimMove].map(({ source }) => source);
  const nodes: Redis[] = client.isCluster ? (client as Cluster).nodes('master') : [client as Redis];
  await Promise.all(nodes.flatMap((node) => sources.map((source) => node.script('LOAD', source))));
}
