import { once } from 'node:events';
import { WebSocket } from 'ws';
import { collectEvents, type CollectedEvents } from '../../../libs/middleware/test/collected-events.js';
import { FREE_RULES, startStage, type Stage, type StageOptions } from './running-gateway.js';
import { startWsUpstream } from './ws-upstream.js';

const NODE = { region: 'eu-1', nodeId: 'gw-7' };
const COARSE = { rule_id: 'per-address', version: 2, domain: 'edge', endpoint: 'GET /hello', count_by: ['ip'], policy: 'address', limit: 3, window_seconds: 600 };

describe('R80 the gateway sends what it decides', () => {
  let events: CollectedEvents;
  let stage: Stage;

  async function open(options: StageOptions = {}, allowShare = 1): Promise<Stage> {
    events = collectEvents();
    stage = await startStage({ ...options, stream: { ...NODE, sink: events.sink, allowShare } });
    return stage;
  }
  afterEach(() => stage.close());

  it('of the pass by caller: who it was, from where and what for, and never the key', async () => {
    const { ask } = await open();
    for (let at = 0; at < 6; at += 1) await ask('/hello?secret=query-secret', { headers: { Authorization: 'Bearer header-secret', Cookie: 'session=cookie-secret' } });
    const sent = await events.untilThere(6);
    expect(sent.map(({ allowed }) => allowed)).toEqual([true, true, true, true, true, false]);
    expect(sent[5]).toMatchObject({
      kind: 'decision',
      app: 'gateway',
      region: 'eu-1',
      node_id: 'gw-7',
      snapshot_version: 1,
      sampled_share: 1,
      reason: 'quota',
      source: 'local',
      cost: 1,
      retry_after_ms: expect.any(Number),
      attributes: { endpoint: 'GET /hello', ip: '127.0.0.1', key_id: 'k-free', tenant_id: 't1', plan: 'free' },
      limits: [{ rule_id: 'free-default', rule_version: 1, allowed: false, limit: 5, window_ms: 60_000, remaining: 0 }],
    });
    expect(new Set(events.messages.map(({ key }) => key))).toEqual(new Set(['k-free']));
    expect(events.messages.map(({ value }) => value).join()).not.toMatch(/secret|demo-free/);
  });

  it('of the coarse pass where one of its rules applies, by address', async () => {
    const { ask } = await open({ rules: [...FREE_RULES, COARSE] });
    expect((await ask('/other')).status).toBe(200);
    for (const status of [200, 200, 200, 429]) expect((await ask('/hello')).status).toBe(status);
    const sent = await events.untilThere(1 + 2 * 3 + 1);
    expect(sent.map(({ attributes: { domain }, limits: [first] }) => [domain, first?.rule_id])).toEqual([
      [undefined, 'free-default'],
      ...[1, 2, 3].flatMap(() => [['edge', 'per-address'], [undefined, 'free-default']]),
      ['edge', 'per-address'],
    ]);
    expect(sent.at(-1)).toMatchObject({ allowed: false, attributes: { domain: 'edge', endpoint: 'GET /hello', ip: '127.0.0.1' } });
  });

  it("of the edge's own limit, its refusals", async () => {
    const { ask } = await open({ config: { edgeLimit: { limit: 2, windowMs: 60_000 } } }, 0);
    for (const status of [200, 200, 429, 429]) expect((await ask('/hello')).status).toBe(status);
    for (const event of await events.untilThere(2)) {
      expect(event).toMatchObject({ kind: 'decision', allowed: false, snapshot_version: 0, source: 'local', attributes: { ip: '127.0.0.1' }, limits: [{ policy: 'edge', rule_id: 'edge', limit: 2 }] });
    }
  });

  it('R84 of requests that nobody is known by: without a key, with an unknown and with a disabled one; not of preflights', async () => {
    const { ask } = await open();
    await ask('/hello', { key: '' });
    await ask('/v1/%68i?x=1', { key: 'guess-secret' });
    await ask('/hello', { key: 'gone', method: 'POST' });
    await ask('/hello', { key: '', method: 'OPTIONS', headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'GET' } });
    const sent = await events.untilThere(3);
    expect(sent.map(({ kind, reason, allowed, attributes }) => [kind, reason, allowed, attributes])).toEqual([
      ['unauthenticated', 'no_credentials', false, { endpoint: 'GET /hello', ip: '127.0.0.1' }],
      ['unauthenticated', 'unknown_credentials', false, { endpoint: 'GET /v1/hi', ip: '127.0.0.1' }],
      ['unauthenticated', 'unknown_credentials', false, { endpoint: 'POST /hello', ip: '127.0.0.1' }],
    ]);
    expect(sent[0]?.snapshot_version).toBe(1);
    expect(events.messages.map(({ value }) => value).join()).not.toMatch(/secret|gone/);
  });

  it('R58 of rules in shadow, what they would have refused', async () => {
    const { ask } = await open({ rules: [...FREE_RULES, { rule_id: 'proposed:free-default', version: 9, plan: 'free', limit: 2, window_seconds: 60, mode: 'shadow' }] }, 0);
    for (let at = 0; at < 3; at += 1) expect((await ask('/hello')).status).toBe(200);
    expect((await events.untilThere(1))[0]).toMatchObject({ kind: 'shadow', reason: 'shadow', limits: [{ rule_id: 'proposed:free-default', rule_version: 9 }], attributes: { key_id: 'k-free', ip: '127.0.0.1' } });
  });

  it('of a reservation once, and not of its settlement', async () => {
    const { ask } = await open({ config: { upstreamCosts: true } });
    expect((await ask('/hello')).status).toBe(200);
    expect(await events.untilThere(1)).toMatchObject([{ kind: 'decision', cost: 1, allowed: true }]);
  });

  it('of the frames of a WebSocket, with their rule', async () => {
    const upstream = await startWsUpstream({});
    const frames = { rule_id: 'frames', version: 4, descriptors: { rule: 'ws' }, policy: 'frames', limit: 1, window_seconds: 600 };
    const { gateway } = await open({ rules: [...FREE_RULES, frames], config: { upstreamUrl: upstream.url, wsMessageRule: 'ws' } });
    const socket = new WebSocket(`ws${gateway.url.slice(4)}/live`, { headers: { 'X-Api-Key': 'demo-free' } });
    await once(socket, 'open');
    socket.send('one');
    socket.send('two');
    await once(socket, 'close');
    const sent = await events.untilThere(3);
    expect(sent.map(({ attributes: { endpoint, rule, ip }, allowed }) => [endpoint, rule, ip, allowed])).toEqual([
      ['GET /live', undefined, '127.0.0.1', true],
      ['GET /live', undefined, '127.0.0.1', true],
      ['GET /live', undefined, '127.0.0.1', false],
    ]);
    expect(sent[2]?.limits[0]).toMatchObject({ rule_id: 'frames', rule_version: 4 });
    await upstream.close();
  });

  it('keeps nothing back at its stop, and counts what it sends', async () => {
    const { ask, gateway } = await open();
    for (let at = 0; at < 4; at += 1) await ask('/hello');
    await events.untilThere(4);
    const metrics = await (await fetch(`${gateway.opsUrl}/metrics`)).text();
    expect(metrics).toMatch(/^sluice_stream_events_total\{outcome="sent",app="gateway"\} 4$/m);
    expect(metrics).toMatch(/^sluice_stream_waiting\{app="gateway"\} 0$/m);
    for (let at = 0; at < 2; at += 1) await ask('/hello');
    await gateway.close();
    expect(events.messages).toHaveLength(6);
  });

  it('is silent where it is off', async () => {
    stage = await startStage();
    await stage.ask('/hello');
    expect(await (await fetch(`${stage.gateway.opsUrl}/metrics`)).text()).not.toContain('sluice_stream');
  });
});
