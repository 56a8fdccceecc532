import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AdminApi } from './admin-api.js';
import { ControlPlane } from './control-plane.js';
import { ControlPlaneUnavailable } from './control-plane-unavailable.js';

/** What a control plane says is in the stories of apps/e2e; here is what it does when it does not. */
describe('R82 a control plane that fails', () => {
  let server: Server;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let asked: string[];
  let plane: ControlPlane;

  const json = (body: unknown, status = 200) => (_request: IncomingMessage, response: ServerResponse) => void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

  beforeEach(async () => {
    asked = [];
    server = createServer((request, response) => {
      asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    plane = new ControlPlane(new AdminApi({ url: `http://127.0.0.1:${port}/`, token: 'a-token-of-viewers', timeoutMs: 300 }));
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it.each<[string, (request: IncomingMessage, response: ServerResponse) => void, RegExp]>([
    ['is overloaded', json({}, 503), /answered 503/],
    ['does not take the token', json({}, 401), /does not take the token of this service \(401\): SLUICE_ADMIN_TOKEN/],
    ['does not let it so far', json({}, 403), /does not take the token/],
    ['never answers', () => undefined, /did not answer within 0.3 s/],
    ['stops in the middle', (_request, response) => void response.writeHead(200).write('{"version":'), /did not answer within/],
    ['says what is no JSON', (_request, response) => void response.end('<html>'), /or not as it should/],
    ['sends somewhere else', (_request, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), /or not as it should/],
    ['hangs up', (request) => void request.socket.destroy(), /did not answer/],
  ])('that %s is one that cannot be asked', async (_name, fails, message) => {
    answer = fails;
    const startedMs = performance.now();
    const error: unknown = await plane.ruleAt('free-default', 1).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(ControlPlaneUnavailable);
    expect(String(error)).toMatch(message);
    expect(String(error)).not.toContain('a-token-of-viewers');
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });

  it('answers what is no rule, and it is none', async () => {
    for (const body of [null, [], {}, { version: '1' }, 5]) {
      answer = json(body);
      expect(await plane.ruleAt('free-default', 1)).toBeUndefined();
      expect(await plane.ruleChanges('free-default')).toEqual([]);
      expect(await plane.inForce({ ip: '203.0.113.9' })).toBeUndefined();
    }
  });

  it('a version that is known is asked for once; one that is not, again', async () => {
    answer = json({ rule_id: 'free-default', version: 3, limit: 60, window_seconds: 60 });
    for (let times = 0; times < 3; times += 1) expect((await plane.ruleAt('free-default', 3))?.quota?.limit).toBe(60);
    expect(asked).toEqual(['GET /v1/rules/free-default/history/3']);
    answer = json({}, 404);
    for (let times = 0; times < 2; times += 1) expect(await plane.ruleAt('free-default', 4)).toBeUndefined();
    expect(asked).toHaveLength(3);
  });

  it('a rule of a later version that this one cannot read is shown all the same', async () => {
    answer = json({ rule_id: 'r', version: 2, limit: 60, window_seconds: 60, moon: 'full' });
    expect(await plane.ruleAt('r', 2)).toMatchObject({ version: 2, json: { moon: 'full' }, rule: undefined, quota: undefined });
  });

  it.each(['../tokens', 'a/b', '', '.', 'plan:', 'plan:../x', 'proposed:..', 'given:["a"]', 'x'.repeat(65)])('an id that no rule can have is not asked for: %s', async (ruleId) => {
    answer = json({ version: 1 });
    expect([await plane.ruleAt(ruleId, 1), await plane.ruleChanges(ruleId), await plane.overrideChanges(ruleId)]).toEqual([undefined, [], []]);
    expect(asked).toEqual([]);
  });
});
