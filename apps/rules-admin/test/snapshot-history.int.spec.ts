import { applyDelta, type Snapshot, snapshotChecksum, validateDelta, validateSnapshot } from '@sluice/rules';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { type Answer, type ControlPlane, startControlPlane } from './control-plane.js';

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
  await plane.put('/v1/plans/free', {});
  await plane.put('/v1/tenants/acme', { name: 'Acme', plan_id: 'free' });
  for (const key of KEYS) await plane.call('/v1/keys', { method: 'POST', json: { tenant_id: 'acme', name: key, key_id: key } });
}, 60_000);
afterAll(() => plane.close());

const KEYS = ['k1', 'k2', 'k3'];
const RULES = ['r1', 'r2', 'r3', 'r4'];
const PLANS = ['p1', 'p2'];

type Write =
  | { readonly do: 'rule' | 'plan' | 'override'; readonly id: string; readonly key: string; readonly limit: number }
  | { readonly do: 'drop rule' | 'drop plan' | 'drop override'; readonly at: number };
type Step = Write | { readonly do: 'poll'; readonly at: number } | { readonly do: 'start anew'; readonly at: number };

const at = fc.nat({ max: 1_000 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('rule' as const), id: fc.constantFrom(...RULES), key: fc.constant(''), limit: fc.integer({ min: 1, max: 50 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('plan' as const), id: fc.constantFrom(...PLANS), key: fc.constant(''), limit: fc.integer({ min: 1, max: 50 }) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('override' as const), id: fc.constantFrom(...RULES), key: fc.constantFrom(...KEYS), limit: fc.integer({ min: 1, max: 50 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('drop rule' as const, 'drop plan' as const, 'drop override' as const), at }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('poll' as const), at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('start anew' as const), at }) },
);

/** Some are refused, such as a rule that has live overrides: then nothing changed. */
async function carryOut(each: Write): Promise<void> {
  const put = (path: string, json: object): Promise<Answer> =>
    plane.put(path, json).then(({ status }) => (status === 412 ? plane.put(path, json, { ifMatch: '*' }) : plane.call('/healthz')));
  const drop = (path: string): Promise<Answer> => plane.call(path, { method: 'DELETE', ifMatch: '*' });
  if ('at' in each) await dropped(each, drop);
  else if (each.do === 'rule') await put(`/v1/rules/${each.id}`, { endpoint: `/${each.id}`, limit: each.limit, window_seconds: 60, descriptors: { b: '*', a: 'ü' } });
  else if (each.do === 'plan') await put(`/v1/plans/${each.id}`, { default_limit: { limit: each.limit, window_seconds: 60 } });
  else {
    const json = { rule_id: each.id, key_id: each.key, limit: each.limit, expires_at: new Date(Date.now() + 3_600_000).toISOString() };
    await plane.call('/v1/overrides', { method: 'POST', json, headers: { 'idempotency-key': randomUUID() } });
  }
}

async function dropped(each: Extract<Write, { at: number }>, drop: (path: string) => Promise<Answer>): Promise<void> {
  if (each.do === 'drop rule') await drop(`/v1/rules/${RULES[each.at % RULES.length]}`);
  else if (each.do === 'drop plan') await drop(`/v1/plans/${PLANS[each.at % PLANS.length]}`);
  else {
    const { overrides } = (await plane.call('/v1/snapshot')).body as { overrides: { override_id: string }[] };
    const chosen = overrides[each.at % Math.max(1, overrides.length)];
    if (chosen !== undefined) await drop(`/v1/overrides/${chosen.override_id}`);
  }
}

describe('R54 a node that follows the changes has what the control plane has', () => {
  it('through random histories of rules, plans and overrides, from any version, also of a control plane that was started anew', async () => {
    const came = { delta: 0, whole: 0, unchanged: 0 };
    let held: Snapshot | undefined;
    let etag = '';
    const older: Snapshot[] = [];

    async function follow(via: ControlPlane, from: Snapshot | undefined, tag: string): Promise<Snapshot> {
      const answer = await via.call(`/v1/snapshot${from === undefined ? '' : `?since=${from.version}`}`, tag === '' ? {} : { ifNoneMatch: tag });
      etag = answer.etag ?? '';
      if (answer.status === 304 && from !== undefined) {
        came.unchanged += 1;
        return from;
      }
      const isDelta = answer.headers.get('sluice-snapshot') === 'delta';
      came[isDelta ? 'delta' : 'whole'] += 1;
      const delta = isDelta ? validateDelta(answer.body) : undefined;
      const read = delta === undefined ? validateSnapshot(answer.body) : delta.ok && from !== undefined ? applyDelta(from, delta.value) : delta;
      if (!read.ok || !('rules' in read.value) || 'since' in read.value) throw new Error(JSON.stringify(read));
      expect(snapshotChecksum(read.value)).toBe(answer.headers.get('sluice-checksum'));
      return read.value;
    }

    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 25 }), async (steps) => {
        for (const each of steps) {
          if (each.do === 'poll') {
            held = await follow(plane, held, etag);
            older.push(held);
            const past = older[each.at % older.length];
            expect(snapshotChecksum(await follow(plane, past, ''))).toBe(snapshotChecksum(held));
          } else if (each.do === 'start anew') {
            const anew = await startControlPlane({ databaseUrl: plane.databaseUrl });
            const [told, whole] = [await plane.call('/v1/snapshot'), await anew.call('/v1/snapshot')];
            expect([whole.text, whole.headers.get('sluice-checksum'), whole.etag]).toEqual([told.text, told.headers.get('sluice-checksum'), told.etag]);
            held = await follow(anew, held, etag);
            await anew.close();
          } else await carryOut(each);
        }
      }),
      { seed: 54, numRuns: 8, endOnFailure: true },
    );
    expect(came.delta).toBeGreaterThan(20);
    expect(came.whole).toBeGreaterThan(0);
  }, 120_000);
});
