import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { memoryStore, systemClock } from '@sluice/limiter';
import { createLogger, InProcessBus } from '@sluice/platform';
import { grpcClient } from '../../../../libs/envoy-rls/test/grpc-client.js';
import { RLS, shouldRateLimitDefinition } from '../../../../libs/envoy-rls/test/load-proto.js';
import { startControlPlane } from '../../../../libs/snapshot-client/test/control-plane.js';
import { certificateMaker, type Pair } from '../../test/certificates.js';
import { BARE_CONFIG, snapshotOf, type Stage, type StageOptions, startStage } from '../../test/running-decision.js';
import { createDecision } from '../create-decision.js';

const HEALTH = 'grpc.health.v1.Health';
const RULES: StageOptions['rules'] = [{ rule_id: 'free-default', version: 3, plan: 'free', limit: 5, window_seconds: 60 }];
const ASKED = { domain: 'api', descriptors: [{ entries: [{ key: 'plan', value: 'free' }, { key: 'key_id', value: 'k1' }] }] };

const codeOf = (answer: object): unknown => ('overall_code' in answer ? answer.overall_code : undefined);

describe('R73 the decision service over gRPC', () => {
  const closers: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  async function start(options: Partial<StageOptions> = {}): Promise<Stage & { readonly client: ReturnType<typeof grpcClient> }> {
    const stage = await startStage({ rules: RULES, ...options });
    const client = grpcClient(stage.decision.grpcPort);
    closers.push(() => stage.close(), () => client.close());
    return { ...stage, client };
  }

  it('decides by the rules, and by the counters that HTTP has', async () => {
    const { client, decision } = await start();
    const codes: unknown[] = [];
    for (let i = 0; i < 4; i += 1) codes.push(codeOf(await client.call(RLS, 'ShouldRateLimit', ASKED)));
    const http = await fetch(`${decision.url}/v1/ratelimit:check`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ domain: 'api', descriptors: [{ key: 'plan', value: 'free' }, { key: 'key_id', value: 'k1' }] }),
    });
    expect(await http.json()).toMatchObject({ overallCode: 'OK', limitRemaining: 0 });
    codes.push(codeOf(await client.call(RLS, 'ShouldRateLimit', ASKED)));
    expect(codes).toEqual([1, 1, 1, 1, 2]);
    expect(await client.call(RLS, 'ShouldRateLimit', { domain: '', descriptors: [] })).toMatchObject({ code: status.INVALID_ARGUMENT });
  });

  it('answers a request that is long because a client sent long fields: Envoy lets pass what fails', async () => {
    const { client } = await start();
    const long = { domain: 'api', descriptors: Array.from({ length: 10 }, () => ({ entries: [{ key: 'header', value: 'x'.repeat(60_000) }] })) };
    expect(codeOf(await client.call(RLS, 'ShouldRateLimit', long))).toBe(1);
  });

  it('R77 asks who calls: the token in the metadata, as HTTP does; health is open', async () => {
    const { client, decision } = await start({ config: { tokens: ['decision-token'] } });
    expect(await client.call(RLS, 'ShouldRateLimit', ASKED)).toMatchObject({ code: status.UNAUTHENTICATED });
    expect(await client.call(HEALTH, 'Check', {})).toEqual({ status: 1 });
    const { path, requestSerialize, responseDeserialize } = shouldRateLimitDefinition();
    const by = new Client(`127.0.0.1:${decision.grpcPort}`, credentials.createInsecure());
    closers.push(() => by.close());
    const metadata = new Metadata();
    metadata.set('authorization', 'Bearer decision-token');
    const answer = await new Promise<object | ServiceError | undefined>((resolve) => by.makeUnaryRequest(path, requestSerialize, responseDeserialize, ASKED, metadata, (error, value) => resolve(error ?? value)));
    expect(answer).toMatchObject({ overall_code: 1 });
  });

  it('R56 without rules answers UNAVAILABLE and is NOT_SERVING, instead of letting all pass', async () => {
    const plane = await startControlPlane(snapshotOf(7, RULES));
    plane.answer = (_request, response) => response.writeHead(500).end();
    const logger = createLogger({ app: 'decision', level: 'silent' });
    const bus = new InProcessBus(logger);
    const decision = await createDecision({ config: { ...BARE_CONFIG, adminUrl: plane.url }, store: memoryStore(systemClock()), bus, logger });
    const client = grpcClient(decision.grpcPort);
    closers.push(() => plane.close(), () => bus.close(), () => decision.close(), () => client.close());
    expect(await client.call(RLS, 'ShouldRateLimit', ASKED)).toMatchObject({ code: status.UNAVAILABLE });
    for (const service of ['', RLS]) expect(await client.call(HEALTH, 'Check', { service })).toEqual({ status: 2 });
    plane.answer = undefined;
    await decision.ready;
    expect(await client.call(RLS, 'ShouldRateLimit', ASKED)).toMatchObject({ overall_code: 1 });
    expect(await client.call(HEALTH, 'Check', { service: RLS })).toEqual({ status: 1 });
  });

  it('speaks TLS where HTTP does, and knows who asks by the certificate', async () => {
    const certificates = certificateMaker();
    closers.push(() => certificates.close());
    const ca = certificates.authority('our-ca');
    const [server, own] = [certificates.signed('server', ca), certificates.signed('client', ca)];
    const { decision } = await start({ config: { tlsCertFile: server.certFile, tlsKeyFile: server.keyFile, tlsClientCaFile: ca.certFile } });
    const { path, requestSerialize, responseDeserialize } = shouldRateLimitDefinition();
    const ask = (own: Pair | undefined): Promise<object | undefined> => {
      const by = new Client(`127.0.0.1:${decision.grpcPort}`, credentials.createSsl(Buffer.from(ca.cert), own && Buffer.from(own.key), own && Buffer.from(own.cert)));
      closers.push(() => by.close());
      return new Promise((resolve) => by.makeUnaryRequest(path, requestSerialize, responseDeserialize, ASKED, (error, value) => resolve(error ?? value)));
    };
    expect(await ask(own)).toMatchObject({ overall_code: 1 });
    expect(await ask(undefined)).toMatchObject({ code: status.UNAUTHENTICATED });
  });

  it('R93 counts calls by method and code; a caller makes up neither', async () => {
    const { client, decision } = await start();
    await client.call(RLS, 'ShouldRateLimit', ASKED);
    await client.call(RLS, 'ShouldRateLimit', { domain: '' });
    const by = new Client(`127.0.0.1:${decision.grpcPort}`, credentials.createInsecure());
    closers.push(() => by.close());
    const raw = (bytes: Buffer): Buffer => bytes;
    for (const path of ['/made.Up/One', '/made.Up/Two']) await new Promise((resolve) => by.makeUnaryRequest(path, raw, raw, Buffer.alloc(0), resolve));
    const metrics = await (await fetch(`${decision.url}/metrics`)).text();
    const counts = [...metrics.matchAll(/^sluice_grpc_call_duration_seconds_count\{(.*)\} (\d+)$/gm)].map(([, labels, count]) => `${labels?.replace(/,?app="decision",?/, '')} ${count}`);
    expect(counts.sort()).toEqual([
      `method="/${RLS}/ShouldRateLimit",code="INVALID_ARGUMENT" 1`,
      `method="/${RLS}/ShouldRateLimit",code="OK" 1`,
      'method="other",code="UNIMPLEMENTED" 2',
    ]);
    expect(metrics).toContain('sluice_decision_duration_seconds_count{app="decision"} 1');
  });

  it('R44 a stop answers what is under way, and lets the port go', async () => {
    const { client, decision } = await start();
    const answers = Promise.all(Array.from({ length: 20 }, () => client.call(RLS, 'ShouldRateLimit', ASKED)));
    await client.call(RLS, 'ShouldRateLimit', ASKED);
    const startedMs = performance.now();
    await decision.close();
    expect(performance.now() - startedMs).toBeLessThan(3_000);
    expect((await answers).map(codeOf).filter((code) => code === 1 || code === 2)).toHaveLength(20);
    expect(await client.call(RLS, 'ShouldRateLimit', ASKED)).toMatchObject({ code: status.UNAVAILABLE });
  });
});
