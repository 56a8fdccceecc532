import { grpcClient } from '../../../libs/envoy-rls/test/grpc-client.js';
import { RLS } from '../../../libs/envoy-rls/test/load-proto.js';
import { collectEvents, type CollectedEvents } from '../../../libs/middleware/test/collected-events.js';
import { askJson, checkOf } from './asking.js';
import { type Stage, type StageOptions, startStage } from './running-decision.js';

const RULES: StageOptions['rules'] = [
  { rule_id: 'free-default', version: 3, plan: 'free', limit: 2, window_seconds: 600 },
  { rule_id: 'per-ip', version: 1, endpoint: 'GET /open', count_by: ['ip'], policy: 'ip', limit: 1, window_seconds: 600 },
  { rule_id: 'slow', version: 1, endpoint: 'GET /slow', count_by: ['ip'], policy: 'slow', limit: 1, burst: 20, window_seconds: 1, algorithm: 'leaky_bucket', shape: true },
];
const WHO = { plan: 'free', key_id: 'k1', ip: '192.0.2.7' };

describe('R80 the decision service sends what it decides', () => {
  let events: CollectedEvents;
  let stage: Stage;

  async function open(options: Partial<StageOptions> = {}, allowShare = 1): Promise<Stage> {
    events = collectEvents();
    stage = await startStage({ rules: RULES, ...options, stream: { sink: events.sink, region: 'eu-1', nodeId: 'dec-2', allowShare } });
    return stage;
  }
  afterEach(() => stage.close());

  const post = (path: string, body: unknown) => askJson(`${stage.decision.url}/v1/ratelimit:${path}`, body);
  const authorize = (uri: string, headers: Record<string, string> = {}, query = ''): Promise<Response> =>
    fetch(`${stage.decision.url}/v1/authorize${query}`, { headers: { 'X-Original-URI': uri, 'X-Original-Method': 'GET', ...headers } });

  it('of checks: both that pass and that are refused, with all that was said of the request', async () => {
    await open();
    for (let at = 0; at < 3; at += 1) await post('check', checkOf({ ...WHO, device: 'phone-secret' }));
    const sent = await events.untilThere(3);
    expect(sent.map(({ allowed }) => allowed)).toEqual([true, true, false]);
    expect(sent[2]).toMatchObject({
      kind: 'decision',
      app: 'decision',
      region: 'eu-1',
      node_id: 'dec-2',
      snapshot_version: 7,
      reason: 'quota',
      source: 'local',
      attributes: { domain: 'api', ...WHO },
      limits: [{ rule_id: 'free-default', rule_version: 3 }],
    });
    // What nobody asked for may be anything.
    expect(events.messages.map(({ value }) => value).join()).not.toContain('phone-secret');
  });

  it('of a batch, one each', async () => {
    await open();
    await post('batch', { checks: [checkOf(WHO), checkOf({ ...WHO, key_id: 'k2' }, { cost: 5 }), checkOf(WHO, { peek: true }), checkOf(WHO, { cost: 0 })] });
    expect((await events.untilThere(2)).map(({ attributes, cost, reason }) => [attributes['key_id'], cost, reason])).toEqual([
      ['k1', 1, 'ok'],
      ['k2', 5, 'cost_exceeds_limit'],
    ]);
  });

  it('of a reservation once, and neither of its settlement, nor of what only looks', async () => {
    await open();
    const reserved = await post('check', checkOf(WHO, { reserve: true, cost: 2 }));
    await post('settle', { decision_id: reserved.body['decision_id'], cost: 1 });
    await post('check', checkOf(WHO, { peek: true }));
    await post('check', checkOf(WHO, { cost: 0 }));
    await authorize('/x', { 'X-Api-Key': 'demo-free' }, '?cost=0');
    await fetch(`${stage.decision.url}/v1/limits?key_id=k1&plan=free`);
    expect(await events.untilThere(1)).toMatchObject([{ allowed: true, cost: 2, attributes: { key_id: 'k1' } }]);
  });

  it('of forward-auth: the caller of the key and the address, and never the key', async () => {
    await open({ config: { trustedProxies: { hops: 1 } } });
    const headers = { 'X-Api-Key': 'demo-free', 'X-Forwarded-For': '198.51.100.4', Authorization: 'Bearer header-secret', Cookie: 'session=cookie-secret' };
    await authorize('/v1/items?token=query-secret', headers, '?domain=web&rule=items');
    const [event] = await events.untilThere(1);
    expect(event).toMatchObject({ allowed: true, attributes: { endpoint: 'GET /v1/items', ip: '198.51.100.4', key_id: 'k1', tenant_id: 't1', plan: 'free', domain: 'web' } });
    expect(events.messages.map(({ value }) => value).join()).not.toMatch(/secret|demo-free/);
  });

  it('of forward-auth that is refused since it would wait too long, as it was answered', async () => {
    await open({}, 0);
    for (const status of [200, 429]) expect((await authorize('/slow', {}, '?max_delay_ms=100')).status).toBe(status);
    expect(await events.untilThere(1)).toMatchObject([{ allowed: false, reason: 'quota', retry_after_ms: expect.any(Number), attributes: { endpoint: 'GET /slow', ip: '127.0.0.1' } }]);
  });

  it('R84 of forward-auth for whom nobody knows; not where no key is needed', async () => {
    await open();
    expect((await authorize('/a', {}, '?keys=required')).status).toBe(401);
    expect((await authorize('/b', { 'X-Api-Key': 'guess-secret' }, '?domain=web')).status).toBe(401);
    expect((await authorize('/c', { 'X-Api-Key': 'gone' })).status).toBe(401);
    expect((await authorize('/open')).status).toBe(200);
    const sent = await events.untilThere(4);
    expect(sent.map(({ kind, reason, attributes }) => [kind, reason, attributes])).toEqual([
      ['unauthenticated', 'no_credentials', { endpoint: 'GET /a', ip: '127.0.0.1' }],
      ['unauthenticated', 'unknown_credentials', { endpoint: 'GET /b', ip: '127.0.0.1', domain: 'web' }],
      ['unauthenticated', 'unknown_credentials', { endpoint: 'GET /c', ip: '127.0.0.1' }],
      ['decision', 'ok', { endpoint: 'GET /open', ip: '127.0.0.1' }],
    ]);
    expect(events.messages.map(({ value }) => value).join()).not.toMatch(/guess-secret|gone/);
  });

  it('of ShouldRateLimit: one of each descriptor that charges, and of a request that is refused what refuses it', async () => {
    const { decision } = await open();
    const client = grpcClient(decision.grpcPort);
    const entries = (attributes: Record<string, string>) => Object.entries(attributes).map(([key, value]) => ({ key, value }));
    const byKey = { entries: entries({ plan: 'free', key_id: 'k1' }) };
    const byAddress = { entries: entries({ endpoint: 'GET /open', remote_address: '192.0.2.9' }) };
    await client.call(RLS, 'ShouldRateLimit', { domain: 'envoy', descriptors: [byKey] });
    await client.call(RLS, 'ShouldRateLimit', { domain: 'envoy', descriptors: [byKey, byAddress, { ...byKey, hits_addend: { value: 0 } }] });
    await client.call(RLS, 'ShouldRateLimit', { domain: 'envoy', descriptors: [byAddress, { entries: entries({ plan: 'free', key_id: 'k2' }) }] });
    await client.call(RLS, 'ShouldRateLimit', { domain: 'envoy', descriptors: [{ ...byKey, is_negative_hits: true, hits_addend: { value: 1 } }] });
    const sent = await events.untilThere(4);
    expect(sent.map(({ attributes: { key_id, ip, domain }, allowed, limits: [first] }) => [key_id ?? ip, domain, allowed, first?.rule_id])).toEqual([
      ['k1', 'envoy', true, 'free-default'],
      ['k1', 'envoy', true, 'free-default'],
      ['192.0.2.9', 'envoy', true, 'per-ip'],
      ['192.0.2.9', 'envoy', false, 'per-ip'],
    ]);
    client.close();
  });

  it('keeps nothing back at its stop', async () => {
    const { decision } = await open();
    for (let at = 0; at < 2; at += 1) await post('check', checkOf(WHO));
    await decision.close();
    expect(events.messages).toHaveLength(2);
  });
});
