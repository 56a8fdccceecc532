import { networkInterfaces } from 'node:os';
import { createRulesAdmin } from '../src/index.js';
import { type ControlPlane, startControlPlane, TOKEN } from './control-plane.js';

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({
    host: '0.0.0.0',
    loginFailuresPerMinute: 100_000,
    tokens: [
      { token: TOKEN, loopbackOnly: false },
      { token: 'second-token', loopbackOnly: false },
      { token: 'sluice-dev-admin', loopbackOnly: true },
    ],
  });
}, 60_000);
afterAll(() => plane.close());

const OUTSIDE = Object.values(networkInterfaces()).flat().find((address) => address?.family === 'IPv4' && !address.internal);

describe('R62 tokens of the environment', () => {
  it.each([`Basic ${btoa(`admin:${TOKEN}`)}`, TOKEN, `Bearer  `, `Bearer ${TOKEN} x`, `Bearer ${TOKEN},second-token`, `bearer${TOKEN}`, `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(0, -1)}`, `Bearer ${'x'.repeat(8000)}`])('Authorization: %s is refused', async (authorization) => {
    expect((await plane.call('/v1/rules', { token: null, headers: { authorization } })).status).toBe(401);
  });

  it('each configured token opens, whatever the case of the scheme', async () => {
    expect((await plane.call('/v1/rules', { token: 'second-token' })).status).toBe(200);
    expect((await plane.call('/v1/rules', { token: null, headers: { authorization: `bEARER ${TOKEN}` } })).status).toBe(200);
  });

  it.each(['/healthz', '/readyz', '/metrics', '/docs', '/openapi.json'])('%s is open', async (path) => {
    expect((await plane.call(path, { token: null })).status).toBe(200);
  });

  it('a development token opens from this machine alone', async () => {
    expect((await plane.call('/v1/rules', { token: 'sluice-dev-admin' })).status).toBe(200);
    for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
      expect((await plane.call('/v1/rules', { token: 'sluice-dev-admin', headers: { [header]: '127.0.0.1' } })).status).toBe(401);
    }
  });

  (OUTSIDE === undefined ? it.skip : it)('a development token does not open from another address (needs one)', async () => {
    const port = new URL(plane.url).port;
    const response = await fetch(`http://${OUTSIDE?.address}:${port}/v1/rules`, { headers: { authorization: 'Bearer sluice-dev-admin' } });
    expect(response.status).toBe(401);
    const proper = await fetch(`http://${OUTSIDE?.address}:${port}/v1/rules`, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect(proper.status).toBe(200);
  });

  it.each([[[]], [[{ token: 'node-token', role: 'node' as const, loopbackOnly: false }]]])('without an admin token it refuses to start: %j', async (tokens) => {
    const config = { databaseUrl: plane.databaseUrl, tokens, migrateOnStart: false, host: '127.0.0.1', port: 0 };
    await expect(createRulesAdmin({ config, bus: plane.bus, logger: (await import('pino')).pino({ level: 'silent' }), processMetrics: false })).rejects.toThrow('at least one admin token');
  });
});
