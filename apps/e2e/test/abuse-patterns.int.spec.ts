import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DecisionEvent } from '@sluice/events';
import { sharedPostgres, type TestDatabase } from '@sluice/testkit';
import { ask } from './support/ask.js';
import { BUILD_TIMEOUT_MS, buildApps } from './support/build-apps.js';
import { decisionEvent, refusingLimit } from './support/decision-event.js';
import { startStoryLog, type StoryLog } from './support/decision-log.js';
import { endPrograms } from './support/program.js';
import { ADMIN_TOKEN, type RulesAdminProcess, startRulesAdmin } from './support/rules-admin.js';
import { until } from './support/until.js';

const HOUR_MS = 3_600_000;
/** Several looks. */
const LOOKS_MS = 3_500;

interface Finding {
  readonly finding_id: string;
  readonly pattern_id: string;
  readonly subject: string;
  readonly observed: number;
  readonly standard_error: number;
  readonly threshold: number;
  readonly state: string;
  readonly overrides: readonly { readonly key_id: string; readonly limit: number; readonly override_id: string | null }[];
  readonly left_out: readonly { readonly key_id: string; readonly why: string }[];
}

describe('R84 patterns on what is stored', () => {
  let database: TestDatabase;
  let admin: RulesAdminProcess;
  let folder: string;
  let log: StoryLog;

  beforeAll(async () => {
    await buildApps();
    folder = await mkdtemp(join(tmpdir(), 'sluice-patterns-'));
    database = await sharedPostgres();
    admin = await startRulesAdmin(database.url);
    const create = { 'if-none-match': '*' };
    for (const [path, body] of [
      ['/v1/plans/free', {}],
      ['/v1/tenants/acme', { name: 'Acme', plan_id: 'free' }],
      ['/v1/rules/free-default', { plan: 'free', limit: 60, window_seconds: 60 }],
      ['/v1/rules/tiny', { plan: 'free', endpoint: '/tiny', limit: 3, window_seconds: 60 }],
    ] as const) expect([path, (await admin.api.put(path, body, create)).status]).toEqual([path, 201]);
    for (let at = 0; at < 8; at += 1) expect((await admin.api.send('POST', '/v1/keys', { tenant_id: 'acme', name: 'k', key_id: `k${at}` })).status).toBe(201);
  }, BUILD_TIMEOUT_MS);

  afterEach(async () => {
    await log.close();
  });

  afterAll(async () => {
    await endPrograms();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  async function start(rules: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
    const file = join(folder, 'abuse.yaml');
    await writeFile(file, rules);
    log = await startStoryLog(admin.url, { SLUICE_ABUSE_FILE: file, ...env });
  }
  const stored = (events: readonly DecisionEvent[]): Promise<unknown> => log.store.write(events.map((event) => ({ partition: 0, event })));
  const findings = async (): Promise<readonly Finding[]> => ((await log.get('/v1/abuse/findings')).json() as { findings: Finding[] }).findings;
  const found = async (count = 1): Promise<readonly Finding[]> => {
    await until(async () => (await findings()).length >= count);
    return findings();
  };
  const overridesOf = async (keyId: string): Promise<readonly { readonly limit: number; readonly reason: string }[]> =>
    ((await admin.api.get(`/v1/overrides?key_id=${keyId}&live=true`)).json() as { overrides: { limit: number; reason: string }[] }).overrides;
  const issued = async (name: string): Promise<string> => ((await admin.api.send('POST', '/v1/tokens', { name, role: 'editor' })).json() as { token: string }).token;
  const refusals = (keyId: string, count: number, atMs: number, ruleId = 'free-default'): DecisionEvent[] =>
    Array.from({ length: count }, () => decisionEvent({ at_ms: atMs, attributes: { key_id: keyId, tenant_id: 'acme', plan: 'free', ip: '192.0.2.7' }, limits: [refusingLimit({ rule_id: ruleId })] }));
  const passed = (keyId: string, count: number, atMs: number, share = 1, ip = '192.0.2.7'): DecisionEvent[] =>
    Array.from({ length: count }, () => decisionEvent({ at_ms: atMs, allowed: true, reason: 'ok', retry_after_ms: null, sampled_share: share, attributes: { key_id: keyId, tenant_id: 'acme', plan: 'free', ip }, limits: [refusingLimit({ allowed: true, reason: 'ok' })] }));

  it('exactly the mark is not above it; one more is, also when it comes late', async () => {
    await start('{every_seconds: 1, lateness_seconds: 60, patterns: [{id: a, kind: refusals, threshold: 20, window_seconds: 30}]}');
    const endedMs = Date.now() - 40_000;
    await stored(refusals('k0', 20, endedMs));
    await sleep(LOOKS_MS);
    expect(await findings()).toEqual([]);
    // Late: its window ended 40 s ago, and windows of up to 60 s ago are looked at.
    await stored(refusals('k0', 1, endedMs));
    await until(async () => (await findings())[0]?.state === 'proposed');
    expect(await findings()).toMatchObject([{ subject: 'k0', observed: 21, threshold: 20, standard_error: 0, overrides: [] }]);
    // What came later than that is not taken up any more.
    await stored(refusals('k1', 50, Date.now() - 200_000));
    await sleep(LOOKS_MS);
    expect(await findings()).toHaveLength(1);
  });

  it('a limit is never below the floor, nor above what the rule gives', async () => {
    await start(`{dry_run: false, every_seconds: 1, patterns: [
      {id: factor, kind: refusals, threshold: 20, window_seconds: 30, action: apply, override: {factor: 0.01, floor: 7, ttl_seconds: 60}}]}`);
    await stored([...refusals('k2', 30, Date.now()), ...refusals('k3', 30, Date.now(), 'tiny')]);
    await until(async () => (await findings()).filter(({ state }) => state === 'applied' || state === 'proposed').length === 2);
    expect(Object.fromEntries((await findings()).map(({ subject, state, overrides, left_out }) => [subject, { state, overrides: overrides.map(({ limit }) => limit), left_out }]))).toEqual({
      k2: { state: 'applied', overrides: [7], left_out: [] },
      // Nothing to apply, so that it stays for people to see.
      k3: { state: 'proposed', overrides: [], left_out: [{ key_id: 'k3', why: 'its limit of 3 is not above the 7 that it would get' }] },
    });
    expect((await overridesOf('k2')).map(({ limit }) => limit)).toEqual([7]);
    expect(await overridesOf('k3')).toEqual([]);
  });

  it('a restart, or another replica, makes no second override of what it finds again', async () => {
    const rules = '{dry_run: false, every_seconds: 1, patterns: [{id: again, kind: refusals, threshold: 20, window_seconds: 30, action: apply, override: {limit: 5, floor: 1, ttl_seconds: 60}}]}';
    for (let start_ = 0; start_ < 2; start_ += 1) {
      await start(rules);
      await stored(refusals('k4', 30, Date.now()));
      await until(async () => (await findings()).some(({ state }) => state === 'applied'));
      expect((await findings())[0]?.overrides[0]?.override_id).toMatch(/^ovr_/);
      if (start_ === 0) await log.close();
    }
    expect(await overridesOf('k4')).toHaveLength(1);
  });

  it('many keys from one address: each of them, and nobody else', async () => {
    await start('{dry_run: false, every_seconds: 1, patterns: [{id: farm, kind: keys_per_address, threshold: 2, window_seconds: 60, action: apply, override: {factor: 0.5, floor: 1, ttl_seconds: 60}}]}');
    const nowMs = Date.now();
    await stored([...passed('k5', 2, nowMs, 1, '198.51.100.1'), ...passed('k6', 2, nowMs, 1, '198.51.100.1'), ...passed('k7', 2, nowMs, 1, '198.51.100.1'), ...passed('k0', 2, nowMs, 1, '198.51.100.2')]);
    await until(async () => (await findings()).some(({ state }) => state === 'applied'));
    expect(await findings()).toMatchObject([{ subject: '198.51.100.1', observed: 3, threshold: 2, overrides: [{ key_id: 'k5', limit: 30 }, { key_id: 'k6', limit: 30 }, { key_id: 'k7', limit: 30 }] }]);
    expect((await overridesOf('k6'))[0]?.reason).toMatch(/^abuse farm: 3 keys from 198\.51\.100\.1 in 60 s/);
    expect(await overridesOf('k0')).toEqual([]);
  });

  it('a jump is measured by what the key did before, sampling counted; a key of today has no norm', async () => {
    await start('{every_seconds: 1, patterns: [{id: jump, kind: jump, factor: 10, least: 500, window_seconds: 60}]}');
    const nowMs = Date.now();
    // k0: 2,880 windows of a minute in two days, 5 requests each on average; k1: as many as always; k2: new.
    const past = [2, 1].flatMap((days) => [...passed('k0', 72, nowMs - days * 24 * HOUR_MS - HOUR_MS, 0.01), ...passed('k1', 14_400, nowMs - days * 24 * HOUR_MS - HOUR_MS, 0.01)]);
    await stored(past);
    await stored([...passed('k0', 6, nowMs, 0.01), ...passed('k1', 6, nowMs, 0.01), ...passed('k2', 6, nowMs, 0.01)]);
    const [finding, ...others] = await found();
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ subject: 'k0', observed: 600 });
    expect(finding?.threshold).toBeGreaterThan(40);
    expect(finding?.threshold).toBeLessThan(60);
    expect(finding?.standard_error).toBeCloseTo(Math.sqrt(6 * 9_900), 3);
  });

  it('a rule that is not there is said, and nothing is made', async () => {
    await start('{dry_run: false, every_seconds: 1, patterns: [{id: lost, kind: refusals, threshold: 20, window_seconds: 30, action: apply, override: {rule_id: nowhere, limit: 5, floor: 1, ttl_seconds: 60}}]}');
    await stored(refusals('k1', 30, Date.now()));
    await until(async () => (await findings())[0]?.state === 'proposed');
    expect(await findings()).toMatchObject([{ left_out: [{ key_id: 'k1', why: 'rule nowhere is not there, or has no limit' }] }]);
    expect((await log.get('/v1/abuse')).json()).toMatchObject({ dry_run: false, fault: null, patterns: [{ pattern_id: 'lost', action: 'apply' }] });
  });

  it('an attack that was over when its override ended is not found again; one that goes on is', async () => {
    await start('{dry_run: false, every_seconds: 1, lateness_seconds: 2, patterns: [{id: over, kind: refusals, threshold: 20, window_seconds: 10, action: apply, override: {limit: 5, floor: 1, ttl_seconds: 10}}]}');
    for (let second = 0; second < 8; second += 1) {
      await stored(refusals('k5', 30, Date.now()));
      await sleep(1_000);
    }
    expect(await findings()).toHaveLength(1);
    // Its last window is looked at until 12 s after the last refusal.
    await sleep(16_000);
    expect(await findings()).toHaveLength(1);
    await stored(refusals('k5', 30, Date.now()));
    await found(2);
  }, 60_000);

  it('gives a key never more than it has, by an override of its own, or by a rule that was changed since', async () => {
    const tight = { key_id: 'k6', rule_id: 'tiny', limit: 1, expires_at: new Date(Date.now() + 24 * HOUR_MS).toISOString() };
    expect((await admin.api.send('POST', '/v1/overrides', tight, { 'idempotency-key': '"tight"' })).status).toBe(201);
    expect((await admin.api.put('/v1/rules/moving', { plan: 'free', endpoint: '/moving', limit: 100, window_seconds: 60 }, { 'if-none-match': '*' })).status).toBe(201);
    await start('{every_seconds: 1, patterns: [{id: never-more, kind: refusals, threshold: 20, window_seconds: 30, override: {factor: 0.7, floor: 1, ttl_seconds: 60}}]}');
    await stored([...refusals('k6', 30, Date.now(), 'tiny'), ...refusals('k7', 30, Date.now(), 'moving')]);
    await until(async () => (await findings()).filter(({ state }) => state === 'proposed').length === 2);
    const bySubject = Object.fromEntries((await findings()).map((finding) => [finding.subject, finding]));
    expect(bySubject['k6']).toMatchObject({ overrides: [], left_out: [{ why: 'its limit of 1 is not above the 2 that it would get' }] });
    expect(bySubject['k7']).toMatchObject({ overrides: [{ limit: 70 }] });
    expect((await admin.api.put('/v1/rules/moving', { plan: 'free', endpoint: '/moving', limit: 10, window_seconds: 60 }, { 'if-match': '*' })).status).toBe(200);
    const apply = `${log.url}/v1/abuse/findings/${bySubject['k7']?.finding_id ?? ''}:apply`;
    const others = await issued('another-editor');
    const answers = await Promise.all([ADMIN_TOKEN, others, ADMIN_TOKEN, others].map((token) => ask(apply, { method: 'POST', headers: { authorization: `Bearer ${token}` } })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect((await overridesOf('k7')).map(({ limit, reason }) => [limit, reason.split(':')[0]])).toContainEqual([7, 'abuse never-more']);
    expect((await overridesOf('k7')).filter(({ reason }) => reason.startsWith('abuse never-more'))).toHaveLength(1);
  });

  it('two replicas at once make one override; one that somebody ended is made again if it goes on', async () => {
    const rules = '{dry_run: false, every_seconds: 1, patterns: [{id: twins, kind: refusals, threshold: 20, window_seconds: 30, action: apply, override: {limit: 4, floor: 1, ttl_seconds: 60}}]}';
    await start(rules);
    const first = log;
    await start(rules);
    const second = log;
    const nowMs = Date.now();
    try {
      for (const replica of [first, second]) await replica.store.write(refusals('k0', 30, nowMs).map((event) => ({ partition: 0, event })));
      const states = async (): Promise<string[]> => Promise.all([first, second].map(async (replica) => ((await replica.get('/v1/abuse/findings')).json() as { findings: Finding[] }).findings[0]?.state ?? ''));
      await until(async () => (await states()).every((state) => state === 'applied'));
      expect((await overridesOf('k0')).filter(({ reason }) => reason.startsWith('abuse twins'))).toHaveLength(1);
    } finally {
      await first.close();
    }
    const [made] = await findings();
    expect((await admin.api.send('DELETE', `/v1/overrides/${made?.overrides[0]?.override_id ?? ''}`, undefined, { 'if-match': '*' })).status).toBe(204);
    await log.close();
    await start(rules);
    await stored(refusals('k0', 30, Date.now()));
    await until(async () => (await findings())[0]?.state === 'applied');
    expect((await overridesOf('k0')).filter(({ reason }) => reason.startsWith('abuse twins'))).toHaveLength(1);
  });

  it('those that something is done about take nobody else\u2019s place', async () => {
    await start('{every_seconds: 1, patterns: [{id: crowd, kind: unauthenticated, threshold: 2, window_seconds: 60}]}');
    const nowMs = Date.now();
    await stored(Array.from({ length: 250 }, (_, at) => Array.from({ length: 3 }, () => decisionEvent({ at_ms: nowMs, kind: 'unauthenticated', reason: 'unknown_credentials', source: 'none', retry_after_ms: null, attributes: { ip: `198.51.${Math.floor(at / 200)}.${at % 200}` }, limits: [] }))).flat());
    const all = async (): Promise<number> => {
      let count = 0;
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = (await log.get(`/v1/abuse/findings?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`)).json() as { findings: Finding[]; next_cursor: string | null };
        count += page.findings.length;
        cursor = page.next_cursor;
      }
      return count;
    };
    await until(async () => (await all()) === 250);
    await sleep(LOOKS_MS);
    expect(await all()).toBe(250);
  });

  it('the control plane away: what is found meanwhile is done when it is back', async () => {
    await start('{dry_run: false, every_seconds: 1, patterns: [{id: later, kind: refusals, threshold: 20, window_seconds: 30, action: apply, override: {limit: 5, floor: 1, ttl_seconds: 60}}]}');
    // So that its token is known while nobody can be asked.
    expect(await findings()).toEqual([]);
    await admin.program.end('SIGTERM');
    await stored(refusals('k1', 30, Date.now()));
    expect(await found()).toMatchObject([{ subject: 'k1', state: 'planning' }]);
    await until(async () => ((await log.get('/v1/abuse')).json() as { fault: string | null }).fault?.includes('cannot be reached') === true);
    admin = await startRulesAdmin(database.url, { SLUICE_ADMIN_PORT: new URL(admin.url).port });
    await until(async () => (await findings())[0]?.state === 'applied');
    expect((await overridesOf('k1')).map(({ limit }) => limit)).toEqual([5]);
  }, 90_000);
});
