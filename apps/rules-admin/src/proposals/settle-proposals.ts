import type { ConfigTransaction } from '../database/config-transaction.js';
import { PROPOSALS, RULES } from '../database/tables.js';

/**
 * Keeps proposals sound at the end of every write, whichever route it came by: with a rule that goes its proposal goes too, in the same version. Unlike an
 * override it is a promise to nobody.
 */
export async function settleProposals(tx: ConfigTransaction): Promise<void> {
  const gone = tx.recorded.flatMap(({ kind, id, action }) => (kind === 'rule' && action === 'deleted' ? [id] : []));
  if (gone.length === 0) return;
  const orphans = await PROPOSALS.some(tx.manager, gone);
  if (orphans.length === 0) return;
  const back = new Set((await RULES.some(tx.manager, orphans.map(({ id }) => id))).map(({ id }) => id));
  await PROPOSALS.removeAll(tx, orphans.filter(({ id }) => !back.has(id)));
}
