import { availableParallelism } from 'node:os';
import { variable } from '@sluice/platform';

const MOST = 256;

/** How many processes share the ports: a number, or `auto` for one a core. */
export const PROCESSES = variable<number>('SLUICE_DECISION_PROCESSES', { default: 1 }, (value) => {
  const count = value === 'auto' ? availableParallelism() : /^\d{1,3}$/.test(value) ? Number(value) : Number.NaN;
  if (count >= 1 && count <= MOST) return { ok: true, value: count };
  return { ok: false, why: `${JSON.stringify(value)} is neither auto nor a number from 1 to ${MOST}` };
});
