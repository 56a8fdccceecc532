import type { InForce } from '../../control-plane/in-force.js';
import type { StoreStatus } from '../../store/decision-store.js';
import { callerWords } from './request-words.js';
import { clockOf, momentOf, plain } from './words.js';

/** What was looked for, and where nothing was. */
export interface Looked {
  readonly fromMs: number;
  /** The last ms that counts. */
  readonly toMs: number;
  readonly keyId: string;
  readonly endpoint: string | undefined;
}

/** That no refusal is recorded, for the customer; it goes before the sentence of what comes nearest. */
export function noRefusal({ fromMs, toMs, keyId, endpoint }: Looked): string {
  return `Between ${isSameDay(fromMs, toMs) ? clockOf(fromMs) : momentOf(fromMs)} and ${momentOf(toMs)}, no refused request${endpoint === undefined ? '' : ` to ${plain(endpoint)}`}${callerWords({ key_id: keyId })} is recorded.`;
}

/** The whole sentence where nothing is recorded at all. */
export function nothingRecorded(looked: Looked): string {
  return `${noRefusal(looked)} Of requests that pass only a part is recorded, so there may have been some.`;
}

/** What an operator wants to know where nothing was found. */
export function nothingNotes({ fromMs, toMs, keyId }: Looked, { oldestMs, newestMs }: Pick<StoreStatus, 'oldestMs' | 'newestMs'>, key: InForce | undefined): readonly string[] {
  return [
    ...(key !== undefined && key.plan === undefined ? [`The control plane knows no key ${plain(keyId)}: the gateway refuses requests with it with 401, and records them without a key.`] : []),
    ...(key?.keyDisabled === true ? ['The key is disabled now: the gateway refuses requests with it with 401, and records them without a key.'] : []),
    'What is refused before the key is looked at, by its address, is recorded under the address: GET /v1/decisions?ip=…&allowed=false.',
    'Refusals are all sent by nodes, but what a node had to drop, while Kafka was away or at a crash, is lost: see sluice_stream_events_total of the nodes. Allowed requests are sampled, so that none here does not mean that there were none.',
    ...(oldestMs === undefined || newestMs === undefined ? ['The store holds no events at all.'] : []),
    ...(oldestMs !== undefined && fromMs < oldestMs ? [`The oldest event that is kept is of ${iso(oldestMs)}: earlier ones are past the retention, or were never recorded.`] : []),
    ...(newestMs !== undefined && toMs > newestMs ? [`The newest event that has arrived is of ${iso(newestMs)}: later ones may be on their way.`] : []),
  ];
}

function isSameDay(a: number, b: number): boolean {
  return Math.floor(a / 86_400_000) === Math.floor(b / 86_400_000);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
