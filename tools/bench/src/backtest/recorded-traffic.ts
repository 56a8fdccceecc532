import type { ReplayRequest } from '@sluice/replay';

const START_MS = Date.UTC(2026, 10, 30);
const SPAN_MS = 600_000;
const ENDPOINTS = 250;

/** Requests of ten minutes in the order of time, some keys far busier than others; the attributes of each are an object of its own, as a store hands them out. */
export function recordedTraffic({ count, keys, plans, share }: { readonly count: number; readonly keys: number; readonly plans: readonly string[]; readonly share?: number | undefined }): readonly ReplayRequest[] {
  let state = 59;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
  return Array.from({ length: count }, (_, at) => {
    const key = Math.floor(keys * random() ** 2);
    const plan = plans[key % plans.length] ?? '';
    const attributes = { plan, endpoint: `GET /v1/r${Math.floor(random() * ENDPOINTS)}/{id}`, key_id: `key_${key}`, tenant_id: `t${key % 1_000}` };
    return { atMs: START_MS + Math.floor((at / count) * SPAN_MS), attributes, cost: 1, wasAllowed: true, ...(share === undefined ? {} : { share }) };
  });
}
