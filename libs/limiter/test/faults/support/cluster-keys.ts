import { counterKey, keySlot } from '@sluice/lua-scripts';
import { slotPlace, type RedisCluster, type RedisServer } from '@sluice/testkit';

/** Callers whose counters are on known parts of a cluster. */
export interface ClusterKeys {
  readonly keys: readonly string[];
  /** The primary that has the first key, and the others. */
  readonly part: RedisServer;
  readonly others: readonly RedisServer[];
  /** The slot of the first key. */
  readonly slot: number;
}

const FIRST = 'c0';

/** Two keys on one primary, then one on each other. */
export function spreadKeys(cluster: RedisCluster): Promise<ClusterKeys> {
  return choose(cluster, (part, others) => [part, ...others]);
}

/** Four keys, each in a slot of its own, all on one primary. */
export function keysTogether(cluster: RedisCluster): Promise<ClusterKeys> {
  return choose(cluster, (part) => [part, part, part]);
}

/** All counters of one caller are in one slot, whatever the rule. */
function slotOf(caller: string): number {
  return keySlot(counterKey('any rule', [caller]));
}

async function choose(cluster: RedisCluster, wanted: (part: RedisServer, others: readonly RedisServer[]) => readonly RedisServer[]): Promise<ClusterKeys> {
  const slot = slotOf(FIRST);
  const { owner: part, others } = await slotPlace(cluster, slot);
  const keys = [FIRST];
  let at = 0;
  for (const server of wanted(part, others)) keys.push(await next(server));
  return { keys, part, others, slot };

  async function next(server: RedisServer): Promise<string> {
    for (;;) {
      at += 1;
      const { owner } = await slotPlace(cluster, slotOf(`c${at}`));
      if (owner === server) return `c${at}`;
    }
  }
}
