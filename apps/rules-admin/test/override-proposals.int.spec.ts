import { snapshotChecksum, type Snapshot, validateSnapshot } from '@sluice/rules';
import { type Answer, type ControlPlane, startControlPlane } from './control-plane.js';
import { createOverride, furnish, inMs, OVERRIDE } from './override-plane.js';

const YEAR_SECONDS = 31_622_400;
const BUCKET = { plan: 'free', endpoint: '/bucket', algorithm: 'token_bucket', limit: 10, window_seconds: 1 };

let plane: ControlPlane;
beforeEach(async () => {
  plane = await startControlPlane();
  await furnish(plane);
}, 60_000);
afterEach(() => plane.close());

const propose = (json: object): Promise<Answer> => plane.put('/v1/rules/bucket/proposal', { ...BUCKET, ...json });
const change = (id: unknown, json: object): Promise<Answer> => plane.call(`/v1/overrides/${String(id)}`, { method: 'PATCH', json, ifMatch: '*' });
const create = (json: object): Promise<Answer> => createOverride(plane, { ...OVERRIDE, rule_id: 'bucket', ...json });
const overTime = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 350));

/** What nodes get, which they must be able to take. */
async function snapshot(): Promise<Snapshot> {
  const answer = await plane.call('/v1/snapshot');
  const checked = validateSnapshot(answer.body);
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  expect(snapshotChecksum(checked.value)).toBe(answer.headers.get('sluice-checksum'));
  return checked.value;
}

describe('R12 R14 R58 an override fits what its rule is proposed to become', () => {
  const FAULT = { type: 'urn:sluice:problem:invalid-request', errors: [{ pointer: '/burst', detail: expect.stringContaining('the proposed version of the rule') }] };

  it.each<[string, object]>([
    ['a window in which its burst would not drain', { window_seconds: YEAR_SECONDS }],
    ['an algorithm without a burst', { algorithm: 'fixed_window' }],
  ])('also when it is made, or changed, after the proposal: %s', async (_name, proposed) => {
    const early = await create({ limit: 1, key_id: 'key-b' });
    expect((await propose(proposed)).status).toBe(201);
    expect(await create({ limit: 1, burst: 2 })).toMatchObject({ status: 400, body: FAULT });
    expect(await change(early.body['override_id'], { burst: 2 })).toMatchObject({ status: 400, body: FAULT });
    expect((await snapshot()).overrides).toHaveLength(1);
    const made = await create({ limit: 1 });
    expect(made.status).toBe(201);
    expect((await plane.call('/v1/rules/bucket/proposal', { method: 'DELETE', ifMatch: '*' })).status).toBe(204);
    expect((await change(made.body['override_id'], { burst: 2 })).status).toBe(200);
    expect(await propose(proposed)).toMatchObject({ status: 409, body: { type: 'urn:sluice:problem:in-use', detail: expect.stringContaining(`live overrides (${String(made.body['override_id'])}), whose burst must`) } });
    expect((await snapshot()).overrides).toHaveLength(2);
  });

  it('an expired one goes with the proposal that it would not fit, in one version, and cannot come back to life beside it', async () => {
    const { body } = await create({ limit: 1, burst: 2, expires_at: inMs(300) });
    await overTime();
    const before = await snapshot();
    expect(before.overrides).toHaveLength(1);
    expect((await propose({ window_seconds: YEAR_SECONDS })).status).toBe(201);
    expect(await snapshot()).toMatchObject({ version: before.version + 1, overrides: [] });
    expect((await change(body['override_id'], { expires_at: inMs(60_000) })).status).toBe(404);
  });

  it('one of a plan’s default limit, which nobody can propose a change of, is made as ever', async () => {
    await plane.put('/v1/plans/solo', { default_limit: { algorithm: 'gcra', limit: 5, window_seconds: 1 } });
    await propose({ window_seconds: YEAR_SECONDS });
    expect((await create({ rule_id: 'plan:solo', limit: 1, burst: 50 })).status).toBe(201);
    await snapshot();
  });
});

describe('R54 R56 R58 rules, proposals and overrides, written at random by every route', () => {
  it('leave a snapshot that nodes take after each write', async () => {
    const pick = seeded(20_261_130);
    const quota = (): object => ({ ...BUCKET, algorithm: pick(['token_bucket', 'gcra', 'fixed_window']), limit: pick([10, 11, 12]), window_seconds: pick([1, YEAR_SECONDS]) });
    const limits = (): object => ({ limit: pick([1, 1_000]), expires_at: inMs(pick([20, 60_000, 60_000])), ...pick([{}, { burst: 2 }, { burst: 50 }]) });
    const overrideId = async (): Promise<unknown> => pick([...((await plane.call('/v1/overrides?limit=1000')).body['overrides'] as { override_id: string }[]), { override_id: 'ovr_none' }]).override_id;
    const post = (path: string, json?: object): Promise<Answer> => plane.call(`/v1/rules${path}`, { method: 'POST', ifMatch: '*', ...(json === undefined ? {} : { json }) });
    const apply = async (rules: readonly object[]): Promise<Answer> => plane.call('/v1/rules:apply', { method: 'POST', json: { base_version: (await plane.call('/v1/rules?limit=1')).body['version'], rules } });
    const writes: Readonly<Record<string, () => Promise<Answer>>> = {
      'put a rule': () => plane.put('/v1/rules/bucket', quota(), pick([{ ifMatch: '*' }, { ifNoneMatch: '*' }])),
      'roll a rule back': () => post('/bucket:rollback', { version: pick([1, 2, 3]) }),
      'apply a set': () => apply(pick([[{ rule_id: 'bucket', ...quota() }], [{ rule_id: 'bucket', ...quota() }], []])),
      'delete a rule': () => plane.call(`/v1/rules/bucket${pick(['', '?overrides=delete'])}`, { method: 'DELETE', ifMatch: '*' }),
      'propose': () => plane.put('/v1/rules/bucket/proposal', quota(), pick([{ ifMatch: '*' }, { ifNoneMatch: '*' }])),
      'promote': () => post('/bucket/proposal:promote'),
      'discard': () => plane.call('/v1/rules/bucket/proposal', { method: 'DELETE', ifMatch: '*' }),
      'override': () => create({ key_id: pick(['key-a', 'key-b']), ...limits() }),
      'change an override': async () => change(await overrideId(), limits()),
    };
    const often = ['put a rule', 'propose', 'propose', 'override', 'override', 'override', 'change an override', ...Object.keys(writes)];
    const seen = new Set<string>();
    for (let round = 0; round < 150; round += 1) {
      const name = pick(often);
      const answer = await writes[name]?.();
      seen.add(`${name}: ${answer?.status ?? 0}`);
      await snapshot();
    }
    // Each was carried out, and some were refused for what stands in the way; which of them depends on what has expired meanwhile.
    expect([...seen]).toEqual(expect.arrayContaining(['put a rule: 200', 'roll a rule back: 200', 'apply a set: 200', 'propose: 201', 'override: 201', 'override: 400']));
    expect([...seen].some((one) => one.endsWith('409'))).toBe(true);
  }, 60_000);
});

/** The same choices each time. */
function seeded(seed: number): <T>(choices: readonly T[]) => T {
  let state = seed;
  return (choices) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff;
    const choice = choices[(state >> 9) % choices.length];
    if (choice === undefined) throw new Error('Nothing to choose from.');
    return choice;
  };
}
