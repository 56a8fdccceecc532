import { setTimeout as sleep } from 'node:timers/promises';
import { applyDelta, type Snapshot, snapshotChecksum, validateDelta, validateSnapshot } from '@sluice/rules';
import { ADMIN_TOKEN } from './rules-admin.js';

/** What one poller saw. */
export interface Polled {
  /** The checksum of what it held at each version, by its own arithmetic, in the order in which the versions came. */
  readonly states: ReadonlyMap<number, string>;
  readonly polls: { whole: number; delta: number; unchanged: number };
  /** What should not be. */
  readonly faults: readonly string[];
}

/**
 * Polls as RFC 9110 and the API's document say, with plain HTTP: If-None-Match and `since`, each time another of the control planes; applies what comes and
 * checks its sum. Ends with the first poll after `running` says no.
 */
export async function poll(urls: readonly string[], running: () => boolean): Promise<Polled> {
  const states = new Map<number, string>();
  const polls = { whole: 0, delta: 0, unchanged: 0 };
  const faults: string[] = [];
  let held: Snapshot | undefined;
  let etag = '';
  for (let turn = Math.floor(Math.random() * urls.length), last = false; !last; turn += 1) {
    last = !running();
    const url = urls[turn % urls.length] ?? '';
    const response = await fetch(`${url}/v1/snapshot${held === undefined ? '' : `?since=${held.version}`}`, { headers: { authorization: `Bearer ${ADMIN_TOKEN}`, ...(etag === '' ? {} : { 'if-none-match': etag }) } });
    const text = await response.text();
    if (response.status === 304) {
      polls.unchanged += 1;
    } else {
      const body: unknown = response.status === 200 ? JSON.parse(text) : undefined;
      const isDelta = typeof body === 'object' && body !== null && 'since' in body;
      const next = isDelta && held !== undefined ? applied(held, body) : whole(body);
      if (next === undefined) {
        faults.push(`${response.status} ${text.slice(0, 200)}`);
      } else {
        polls[isDelta ? 'delta' : 'whole'] += 1;
        const checksum = snapshotChecksum(next);
        if (checksum !== response.headers.get('sluice-checksum')) faults.push(`version ${next.version} adds up to something else`);
        if (held !== undefined && next.version <= held.version) faults.push(`version ${next.version} came after ${held.version}`);
        states.set(next.version, checksum);
        held = next;
        etag = response.headers.get('etag') ?? '';
      }
    }
    await sleep(20 + Math.random() * 80);
  }
  return { states, polls, faults };
}

function whole(body: unknown): Snapshot | undefined {
  const checked = validateSnapshot(body);
  return checked.ok ? checked.value : undefined;
}

function applied(held: Snapshot, body: object): Snapshot | undefined {
  const delta = validateDelta(body);
  const result = delta.ok ? applyDelta(held, delta.value) : delta;
  return result.ok ? result.value : undefined;
}
