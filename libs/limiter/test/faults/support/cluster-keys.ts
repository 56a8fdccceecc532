import { keySlot } from '@sluice/lua-scripts';
import { slotPlace, type RedisCluster, type RedisServer } from '@sluice/testkit';

/** Callers whose counters are on known parts of a cluster. */
export interface ClusterKeys {
  /** Two whose counters `part` has, then one for each other primary. */
  readonly keys: readonly string[];
  readonly part: RedisServer;
  readonly others: readonly RedisServer[];
  /** The slot of the first. */
  readonly slot: number;
}

export async function clusterKeys(cluster: RedisCluster): Promise<ClusterKeys> {
  const first = 'c0';
  const slot = keySlot(`{${first}}`);
  const { owner: part, others } = await slotPlace(cluster, slot);
  const keys = [first];
  for (const wanted of [part, ...others]) {
    for (let at = 1; ; at += 1) {
      const name = `c${at}`;
      const place = keys.includes(name) ? undefined : await slotPlace(cluster, keySlot(`{${name}}`));
      if (place?.owner !== wanted) continue;
      keys.push(name);
      break;
    }
  }
  return { keys, part, others, slot };
}
