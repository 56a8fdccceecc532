import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';

/**
 * Takes the advisory lock of a name until the transaction ends, unless another transaction, of whichever process, has it. 64 bits of a hash: two names that share
 * them would at worst keep each other waiting.
 */
export async function tryLock(manager: EntityManager, name: string): Promise<boolean> {
  const number = createHash('sha256').update(name).digest().readBigInt64BE().toString();
  const [lock] = await manager.query<{ held: boolean }[]>('SELECT pg_try_advisory_xact_lock($1) AS held', [number]);
  return lock?.held === true;
}
