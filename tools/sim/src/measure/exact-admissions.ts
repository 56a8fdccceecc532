import type { Quota } from '@sluice/algorithms';
import type { RequestRecord } from '../world/request-record.js';
import { ExactFleet } from './exact-fleet.js';

/** Which of the requests, in order of arrival, the exact algorithm lets pass. */
export function exactAdmissions(requests: readonly RequestRecord[], quota: Quota, storeMs: (virtualMs: number) => number): readonly RequestRecord[] {
  const fleet = new ExactFleet(quota);
  return requests.filter(({ key, arrivedAtMs }) => fleet.admits(key, storeMs(arrivedAtMs)));
}
