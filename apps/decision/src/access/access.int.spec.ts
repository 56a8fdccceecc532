import { spawnSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as tlsConnect, type SecureVersion } from 'node:tls';
import type { Rule } from '@sluice/rules';
import { certificateMaker, type Pair } from '../../test/certificates.js';
import { type Stage, type StageOptions, startStage } from '../../test/running-decision.js';

const RULES: readonly Rule[] = [
  { rule_id: 'free-default', version: 1, plan: 'free', limit: 1_000, window_seconds: 60 },
  { rule_id: 'per-ip', version: 1, count_by: ['ip'], endpoint: 'GET /open', policy: 'ip', limit: 9, window_seconds: 3_600 },
];
const CHECK = JSON.stringify({ domain: 'api', descriptors: [{ key: 'plan', value: 'free' }, { key: 'key_id', value: 'k1' }] });

/** What only a service that may ask gets, each with the status of success. */
const ROUTES: readonly (readonly [string, RequestOptions, string | undefined, number])[] = [
  ['check', { path: '/v1/ratelimit:check', method: 'POST' }, CHECK, 200],
  ['batch', { path: '/v1/ratelimit:batch', method: 'POST' }, `{"checks":[${CHECK}]}`, 200],
  ['settle', { path: '/v1/ratelimit:settle', method: 'POST' }, '{"decision_id":"AAAAAAAAAAAAAAAAAAAAAA","cost":1}', 404],
  ['refund', { path: '/v1/ratelimit:refund', method: 'POST' }, '{"decision_id":"AAAAAAAAAAAAAAAAAAAAAA"}', 404],
  ['authorize', { path: '/v1/authorize', headers: { 'X-Original-URI': '/x', 'X-Original-Method': 'GET' } }, undefined, 200],
  ['limits of somebody', { path: '/v1/limits?key_id=k1&plan=free' }, undefined, 200],
];

const lan = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === 'IPv4' && !each.internal)?.address;

describe('who may ask', () => {
  const certificates = certificateMaker();
  const ca = certificates.authority('our-ca');
  const serverPair = certificates.signed('server', ca);
  const clientPair = certificates.signed('client', ca);
  const foreign = certificates.signed('foreign', certificates.authority('other-ca'));
  const TLS = { tlsCertFile: serverPair.certFile, tlsKeyFile: serverPair.keyFile };
  const socketPath = join(certificates.dir, 'decision.sock');
  let stage: Stage;

  const start = async (config: StageOptions['config'] = {}): Promise<void> => {
    stage = await startStage({ rules: RULES, config: { host: '0.0.0.0', ...config } });
  };
  afterEach(() => stage.close());
  afterAll(() => certificates.close());

  interface From {
    readonly token?: string;
    readonly certificate?: Pair;
    readonly version?: SecureVersion;
    readonly socket?: boolean;
    readonly host?: string;
  }

  function send(options: RequestOptions, body: string | undefined, { token, certificate, version, socket, host = '127.0.0.1' }: From): Promise<IncomingMessage> {
    const { protocol, port } = new URL(stage.decision.url);
    const headers = { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...(token !== undefined && { Authorization: `Bearer ${token}` }), ...options.headers };
    const tls = { ca: ca.cert, agent: false, ...(certificate && { cert: certificate.cert, key: certificate.key }), ...(version && { minVersion: version, maxVersion: version }), rejectUnauthorized: host === '127.0.0.1' };
    return new Promise((resolve, reject) => {
      const asked =
        socket === true
          ? httpRequest({ ...options, headers, socketPath, agent: false })
          : protocol === 'https:'
            ? httpsRequest({ ...options, ...tls, headers, host, port })
            : httpRequest({ ...options, headers, host, port, agent: false });
      asked.once('response', (response) => resolve(response.resume())).once('error', reject);
      asked.end(body);
    });
  }

  async function statuses(from: From): Promise<Record<string, number | undefined>> {
    const entries: [string, number | undefined][] = [];
    for (const [name, options, body] of ROUTES) entries.push([name, (await send(options, body, from)).statusCode]);
    return Object.fromEntries(entries);
  }
  const everywhere = (may: boolean): Record<string, number> => Object.fromEntries(ROUTES.map(([name, , , status]) => [name, may ? status : 401]));
  const LAN: From = lan === undefined ? {} : { host: lan };
  const withLan = lan === undefined ? it.skip : it;

  it('by default whoever is on this machine, by the loopback', async () => {
    await start();
    expect(await statuses({})).toEqual(everywhere(true));
  });

  withLan('by default nobody from elsewhere', async () => {
    await start();
    expect(await statuses(LAN)).toEqual(everywhere(false));
  });

  it('with tokens whoever shows one, and then not the loopback by itself', async () => {
    await start({ tokens: ['token-of-today', 'token-of-tomorrow'] });
    expect(await statuses({})).toEqual(everywhere(false));
    expect(await statuses({ token: 'token-of-never' })).toEqual(everywhere(false));
    expect(await statuses({ token: 'token-of-today' })).toEqual(everywhere(true));
    expect(await statuses({ token: 'token-of-tomorrow' })).toEqual(everywhere(true));
  });

  withLan('with networks whoever is in one', async () => {
    await start({ askers: [`${lan ?? ''}/32`] });
    expect(await statuses(LAN)).toEqual(everywhere(true));
    expect(await statuses({})).toEqual(everywhere(false));
  });

  it('with a client CA whoever shows a certificate of it, or a token', async () => {
    await start({ ...TLS, tlsClientCaFile: ca.certFile, tokens: ['token-of-today'] });
    expect(await statuses({})).toEqual(everywhere(false));
    expect(await statuses({ certificate: foreign })).toEqual(everywhere(false));
    expect(await statuses({ certificate: clientPair })).toEqual(everywhere(true));
    expect(await statuses({ token: 'token-of-today' })).toEqual(everywhere(true));
    expect((await send({ path: '/healthz' }, undefined, {})).statusCode).toBe(200);
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('a certificate of another CA that has our CA\'s name opens nothing, and is in the way of no token, by %s', async (version) => {
    const others = certificateMaker();
    const impostor = others.signed('client', others.authority('our-ca'), { saysKey: false });
    others.close();
    await start({ ...TLS, tlsClientCaFile: ca.certFile, tokens: ['token-of-today'] });
    expect(await statuses({ certificate: impostor, version })).toEqual(everywhere(false));
    expect(await statuses({ certificate: impostor, version, token: 'token-of-today' })).toEqual(everywhere(true));
  });

  it('without a client CA a certificate says nothing', async () => {
    await start({ ...TLS, tokens: ['token-of-today'] });
    expect(await statuses({ certificate: clientPair })).toEqual(everywhere(false));
  });

  it('over the Unix socket whoever may open it, whatever else is set', async () => {
    await start({ socketPath, tokens: ['token-of-today'] });
    expect(statSync(socketPath).mode & 0o777).toBe(0o660);
    expect(await statuses({ socket: true })).toEqual(everywhere(true));
    expect(await statuses({})).toEqual(everywhere(false));
  });

  it.each<[string, StageOptions['config'], string, string]>([
    ['is believed of X-Forwarded-For as a hop', { trustedProxies: { hops: 1 } }, '9', '8'],
    ['is believed as 127.0.0.1', { trustedProxies: { cidrs: ['127.0.0.0/8'] } }, '9', '8'],
    ['is one client where nobody is believed', {}, '8', '7'],
  ])('R77 who asks over the Unix socket %s', async (_name, config, other, same) => {
    await start({ socketPath, ...config });
    const remaining = async (address: string): Promise<unknown> =>
      (await send({ path: '/v1/authorize', headers: { 'X-Original-URI': '/open', 'X-Original-Method': 'GET', 'X-Forwarded-For': address } }, undefined, { socket: true })).headers['x-ratelimit-remaining'];
    expect(await remaining('1.1.1.1')).toBe('8');
    expect(Number(await remaining('2.2.2.2'))).toBe(Number(other) - 1);
    expect(Number(await remaining('2.2.2.2'))).toBe(Number(same) - 1);
  });

  it('a client cannot make itself a service by what it sends', async () => {
    await start({ tokens: ['token-of-today'], trustedProxies: { hops: 1 } });
    for (const headers of [{ 'X-Forwarded-For': '127.0.0.1' }, { 'X-Api-Key': 'demo-free' }, { 'X-Client-Cert': clientPair.cert.replaceAll('\n', '') }, { 'X-Forwarded-Tls-Client-Cert': 'x' }]) {
      const asked = await send({ path: '/v1/authorize', headers: { 'X-Original-URI': '/x', 'X-Original-Method': 'GET', ...headers } }, undefined, {});
      expect(asked.statusCode).toBe(401);
    }
  });

  it('a session that is resumed without a certificate is not a certified one', async () => {
    await start({ ...TLS, tlsClientCaFile: ca.certFile });
    const port = Number(new URL(stage.decision.url).port);
    const session = await new Promise<Buffer>((resolve, reject) => {
      const socket = tlsConnect({ port, host: '127.0.0.1', ca: ca.cert });
      socket.once('session', (ticket: Buffer) => {
        socket.destroy();
        resolve(ticket);
      });
      socket.once('error', reject);
    });
    const socket = tlsConnect({ port, host: '127.0.0.1', ca: ca.cert, session });
    const answer = new Promise<string>((resolve, reject) => socket.once('data', (bytes) => resolve(bytes.toString())).once('error', reject));
    socket.write('GET /v1/limits?key_id=k1 HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await answer).toMatch(/^HTTP\/1.1 401 /);
    expect(socket.isSessionReused()).toBe(true);
    socket.destroy();
  });

  it('R44 connections that say nothing hold up no stop: over TLS, before its handshake, over the Unix socket', async () => {
    await start({ ...TLS, socketPath });
    const port = Number(new URL(stage.decision.url).port);
    const sockets = [connect(port, '127.0.0.1'), connect(socketPath), tlsConnect({ port, host: '127.0.0.1', ca: ca.cert }), tlsConnect({ port, host: '127.0.0.1', ca: ca.cert })];
    for (const socket of sockets) socket.on('error', () => undefined).resume();
    sockets[1]?.write('POST /v1');
    sockets[3]?.write('POST /v1');
    await sleep(200);
    const startedMs = performance.now();
    await stage.decision.close();
    expect(performance.now() - startedMs).toBeLessThan(2_000);
    for (const socket of sockets) socket.destroy();
  });

  describe('rotation', () => {
    it('takes new certificates without a restart, and keeps the old ones while the new do not fit together', async () => {
      const [certFile, keyFile, caFile] = ['live.crt', 'live.key', 'live-ca.crt'].map((name) => join(certificates.dir, name)) as [string, string, string];
      const write = (pair: Pair): void => (writeFileSync(certFile, pair.cert), writeFileSync(keyFile, pair.key));
      write(serverPair);
      writeFileSync(caFile, ca.cert);
      await start({ tlsCertFile: certFile, tlsKeyFile: keyFile, tlsClientCaFile: caFile });
      const subject = (): Promise<string> =>
        new Promise((resolve, reject) => {
          const socket = tlsConnect({ port: Number(new URL(stage.decision.url).port), host: '127.0.0.1', rejectUnauthorized: false }, () => {
            resolve(String(socket.getPeerCertificate().subject.CN));
            socket.destroy();
          });
          socket.once('error', reject);
        });
      const next = certificates.signed('server-next', ca);
      expect(await subject()).toBe('server');
      writeFileSync(certFile, next.cert);
      await sleep(2_500);
      expect(await subject()).toBe('server');
      write(next);
      for (const deadline = Date.now() + 8_000; (await subject()) !== 'server-next'; await sleep(50)) expect(Date.now()).toBeLessThan(deadline);
      expect((await send({ path: '/v1/limits?key_id=k1' }, undefined, { certificate: foreign })).statusCode).toBe(401);
    });
  });

  describe('the Unix socket at the start', () => {
    it('takes the place of one that a killed process left behind', async () => {
      const listen = `require('net').createServer().listen(${JSON.stringify(socketPath)}, () => process.kill(process.pid, 'SIGKILL'))`;
      expect(spawnSync(process.execPath, ['-e', listen]).signal).toBe('SIGKILL');
      expect(existsSync(socketPath)).toBe(true);
      await start({ socketPath });
      expect((await send({ path: '/healthz' }, undefined, { socket: true })).statusCode).toBe(200);
    });

    it('is a start error where another process listens, which goes on', async () => {
      await start({ socketPath });
      await expect(startStage({ rules: RULES, config: { socketPath } })).rejects.toThrow(/another process listens at/);
      expect((await send({ path: '/healthz' }, undefined, { socket: true })).statusCode).toBe(200);
      const file = join(certificates.dir, 'no-socket');
      writeFileSync(file, 'x');
      await expect(startStage({ rules: RULES, config: { socketPath: file } })).rejects.toThrow(/is no socket/);
      await expect(startStage({ rules: RULES, config: { socketPath: join(certificates.dir, 'nowhere', 'x.sock') } })).rejects.toThrow(/nothing can listen/);
    });
  });
});
