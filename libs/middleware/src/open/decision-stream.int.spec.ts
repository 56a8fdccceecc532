import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Rule, Snapshot } from '@sluice/rules';
import { startRedis } from '@sluice/testkit';
import { collectEvents, type CollectedEvents } from '../../test/collected-events.js';
import { type ControlPlane, startControlPlane } from '../../../snapshot-client/test/control-plane.js';
import { rateLimit } from '../express/index.js';
import { openLimiter } from './open-limiter.js';
import type { InProcessLimiter, InProcessOptions } from './open-limiter-options.js';

const BY_IP = { ip: '192.0.2.1' };
const PER_IP: Rule = { rule_id: 'per-ip', version: 4, limit: 2, window_seconds: 60, count_by: ['ip'] };
const STAGED: Rule = { ...PER_IP, rule_id: 'proposed:per-ip', version: 5, limit: 1, mode: 'shadow' };

function snapshotOf(rules: readonly Rule[]): Snapshot {
  return { version: 9, plans: [], overrides: [], rules };
}

describe('R80 an engine in this process sends what it decides', () => {
  let plane: ControlPlane;
  let events: CollectedEvents;
  let limiter: InProcessLimiter;

  async function open(over: Partial<InProcessOptions> = {}, rules: readonly Rule[] = [PER_IP]): Promise<InProcessLimiter> {
    plane = await startControlPlane(snapshotOf(rules));
    events = collectEvents();
    limiter = await openLimiter({ rules: { adminUrl: plane.url, pollMs: 50 }, decisionStream: { sink: events.sink, allowShare: 1 }, onProblem: () => undefined, ...over });
    return limiter;
  }
  afterEach(async () => {
    await limiter.close();
    await plane.close();
  });

  it('of checks and reservations; not of what only looks, of refunds and settlements', async () => {
    await (await open({ nodeId: 'shop-1' })).ready;
    const first = await limiter.check(BY_IP);
    await limiter.refund(first);
    const { id = '' } = await limiter.reserve(BY_IP, 2);
    await limiter.check(BY_IP);
    await limiter.settle(id, 1);
    await limiter.check(BY_IP, 0);
    await limiter.peek(BY_IP);
    const sent = await events.untilThere(3);
    expect(sent.map(({ allowed, cost }) => [allowed, cost])).toEqual([[true, 1], [true, 2], [false, 1]]);
    expect(sent[2]).toMatchObject({ app: 'middleware', region: 'local', node_id: 'shop-1', snapshot_version: 9, attributes: BY_IP, limits: [{ rule_id: 'per-ip', rule_version: 4 }] });
    expect(limiter.decisionStream?.stats()).toMatchObject({ offered: 3, sent: 3 });
  });

  it('of decisions that take a trip to the store, which stay the decisions that they are', async () => {
    const redis = await startRedis();
    await (await open({ redisUrl: redis.url }, [{ ...PER_IP, algorithm: 'sliding_log', consistency: 'exact' }])).ready;
    const decision = await limiter.check(BY_IP);
    expect(decision.deciding).toMatchObject({ source: 'store', remaining: 1 });
    expect(await limiter.refund(decision)).toBe(1);
    expect(await events.untilThere(1)).toMatchObject([{ source: 'store', at_ms: decision.nowMs }]);
    await redis.stop();
  });

  it('R58 of rules in shadow, whom a listener of its own hears too', async () => {
    const heard: string[] = [];
    await (await open({ decisionStream: { sink: collectEvents().sink }, onShadow: (_applied, verdict) => void heard.push(verdict) }, [PER_IP, STAGED])).ready;
    await limiter.check(BY_IP);
    await limiter.close();
    events = collectEvents();
    limiter = await openLimiter({ rules: { adminUrl: plane.url }, decisionStream: { sink: events.sink, allowShare: 0, region: 'eu-1' }, onShadow: (_applied, verdict) => void heard.push(verdict) });
    await limiter.ready;
    for (let at = 0; at < 2; at += 1) await limiter.check(BY_IP);
    expect(await events.untilThere(1)).toMatchObject([{ kind: 'shadow', region: 'eu-1', limits: [{ rule_id: 'proposed:per-ip', rule_version: 5 }] }]);
    expect(heard).toEqual(['allowed', 'allowed', 'denied']);
  });

  it('R41 before there are rules, that nothing was known', async () => {
    plane = await startControlPlane();
    plane.answer = (_request, response) => void response.writeHead(503).end();
    events = collectEvents();
    limiter = await openLimiter({ rules: { adminUrl: plane.url }, decisionStream: { sink: events.sink }, onProblem: () => undefined });
    await limiter.check(BY_IP);
    expect(await events.untilThere(1)).toMatchObject([{ allowed: false, reason: 'store_unavailable', source: 'fallback', snapshot_version: 0, limits: [{ rule_id: 'unreached' }] }]);
  });

  it('R84 of whom the application does not know; and what waits at its end', async () => {
    await (await open()).ready;
    limiter.decisionStream?.noteUnauthenticated('no_credentials', { ...BY_IP, endpoint: 'GET /cart' });
    await limiter.check(BY_IP);
    await limiter.close();
    expect(await events.untilThere(2)).toMatchObject([{ kind: 'unauthenticated', snapshot_version: 9, attributes: { ip: '192.0.2.1', endpoint: 'GET /cart' } }, { kind: 'decision' }]);
  });

  it('through a skin with the address, though no rule counts by it, and without what a client sent', async () => {
    await (await open({}, [{ ...PER_IP, count_by: ['key_id'] }])).ready;
    const app = express().use(rateLimit({ limiter, key: () => 'k1' }), (_request, response) => void response.end());
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/items/7?token=query-secret`, { headers: { Authorization: 'Bearer header-secret', Cookie: 'a=cookie-secret' } });
    expect(await events.untilThere(1)).toMatchObject([{ attributes: { endpoint: 'GET /items/7', ip: '127.0.0.1', key_id: 'k1' } }]);
    expect(events.messages[0]?.value).not.toContain('secret');
    server.closeAllConnections();
    server.close();
  });

  it('nowhere, unless it is told to', async () => {
    await (await open({ decisionStream: undefined })).ready;
    await limiter.check(BY_IP);
    expect(limiter.decisionStream).toBeUndefined();
    await events.untilThere(0);
  });
});

describe('options of the stream that are none', () => {
  const rules = { adminUrl: 'http://127.0.0.1:1' };
  const { sink } = collectEvents();
  const open = openLimiter as (options: unknown) => Promise<unknown>;

  it.each([
    [{ rules, decisionStream: { sink, allow: 1 } }, 'decisionStream of openLimiter has no option allow; did you mean allowShare?'],
    [{ rules, decisionStream: { sink, app: 'shop', nodeId: 'n' } }, 'decisionStream of openLimiter has no option app'],
    [{ rules, decisionStream: {} }, 'decisionStream.sink must have a function send(messages)'],
    [{ rules, decisionStream: { sink: () => 1 } }, 'decisionStream.sink must have a function send(messages)'],
    [{ rules, decisionStream: sink }, 'decisionStream of openLimiter has no option send'],
    [{ rules, decisionStream: { sink, region: 'EU 1' } }, 'decisionStream.region must be 1 to 32 lower-case letters, digits or -, not "EU 1"'],
    [{ rules, decisionStream: { sink, allowShare: 2 } }, 'allowShare must be 0, or 0.000001 to 1, got 2'],
    [{ decision: 'http://127.0.0.1:1', onFailure: 'allow', decisionStream: { sink } }, 'openLimiter with `decision` has no option decisionStream'],
  ])('%j', async (options, message) => {
    await expect(open(options)).rejects.toThrow(message);
  });
});
