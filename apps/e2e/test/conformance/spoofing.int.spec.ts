import { randomBytes } from 'node:crypto';
import { jest } from '@jest/globals';
import type { ProxyTrust } from '@sluice/middleware';
import { can } from './cannot.js';
import { RULES } from './rules.js';
import { type Stage, startStage } from './stage.js';
import { type SentFields, SURFACES } from './surface.js';
import { startEngine } from './surfaces/engine.js';
import { shakeHands, startHandshakes } from './surfaces/handshakes.js';

jest.setTimeout(120_000);

const PEER = '127.0.0.1';
const LIMIT = 1_000_000;

/** Ways to write an address that is not one's own, and things that are none. */
const WORDS: readonly string[] = [
  '203.0.113.9',
  '::ffff:203.0.113.9',
  '::ffff:cb00:7109',
  '2001:db8::1',
  '[2001:db8::1]',
  '[2001:db8::1]:443',
  '203.0.113.9:1234',
  '198.51.100.1, 203.0.113.9',
  '127.0.0.2',
  '203.0.113.9, 127.0.0.1',
  '::1',
  'fe80::1%eth0',
  'unknown',
  '_hidden',
  '0x7f.1',
  '',
  `${'10.0.0.1, '.repeat(200)}10.0.0.1`,
];

/** Fields in which proxies and networks name a client. */
const ADDRESS_FIELDS: readonly ((word: string) => SentFields)[] = [
  ...['X-Forwarded-For', 'X-Real-IP', 'CF-Connecting-IP', 'CF-Connecting-IPv6', 'True-Client-IP', 'X-Client-IP', 'X-Cluster-Client-IP', 'Fastly-Client-IP', 'X-Original-Forwarded-For', 'X-Envoy-External-Address', 'X_Forwarded_For'].map(
    (name) => (word: string) => ({ [name]: word }),
  ),
  (word) => ({ Forwarded: `for="${word}";proto=https` }),
  (word) => ({ 'X-Forwarded-For': [word, '192.0.2.1', word] }),
  (word) => ({ 'X-Forwarded-For': word, 'X-Forwarded': word, Forwarded: `for=${word}`, 'X-Real-IP': word, 'True-Client-IP': word }),
];

/** Fields that name a caller, a plan, a cost or another request to somebody. */
function identityFields(victim: string): SentFields {
  const names = ['Sluice-Key-Id', 'Sluice-Tenant-Id', 'X-Key-Id', 'X-Tenant-Id', 'X-User-Id', 'X-Consumer-Id', 'X-Consumer-Username', 'X-Authenticated-Userid', 'X-Remote-User', 'Remote-User', 'X-Ratelimit-Key', 'Sluice_Key_Id', 'Key-Id', 'Tenant-Id'];
  return {
    ...Object.fromEntries(names.map((name) => [name, victim])),
    'Sluice-Plan': 'gold',
    Sluice_Plan: 'gold',
    'X-Plan': 'gold',
    Plan: 'gold',
    'Sluice-Cost': '0',
    Cost: '0',
    'Sluice-Status': '200',
    'Sluice-Decision-Id': victim,
    'X-RateLimit-Limit': '1000',
    'X-RateLimit-Remaining': '1000',
    RateLimit: '"hour";r=1000;t=1',
    'X-HTTP-Method-Override': 'OPTIONS',
    'X-Method-Override': 'OPTIONS',
    'X-Forwarded-Uri': '/free',
    'X-Forwarded-Method': 'OPTIONS',
    'X-Original-URL': '/free',
    'X-Rewrite-URL': '/free',
  };
}

/** Those that see an address; handshakes of WebSockets have no answer of their own to state fields on, and are asked here alone. */
const SEEING = [...SURFACES.filter((name) => can(name, 'client address')), 'handshake'] as const;
const newKey = (): string => `k-${randomBytes(6).toString('hex')}`;

/** Requests that were counted for an address. */
async function countedFor(stage: Stage, ip: string): Promise<number> {
  const { deciding } = await stage.witness.peek({ endpoint: 'GET /address', ip });
  return LIMIT - (deciding?.remaining ?? Number.NaN);
}

/** The stage, and beside its surfaces a server of handshakes. */
interface Scene extends Stage {
  /** Whether the request was served. */
  asksFrom(name: (typeof SEEING)[number], fields: SentFields): Promise<boolean>;
}

async function startScene(trust: ProxyTrust): Promise<Scene> {
  const stage = await startStage(RULES, trust);
  const engine = await startEngine({ plane: stage.plane, redisUrl: stage.redis.url });
  const handshakes = await startHandshakes(engine, trust);
  return {
    ...stage,
    async asksFrom(name, fields) {
      if (name === 'handshake') return (await shakeHands(`${handshakes.url}/address`, fields)) === 101;
      return (await stage.surface(name).ask({ key: 'same', path: '/address', fields })).allowed;
    },
    async close() {
      await handshakes.close();
      await engine.close();
      await stage.close();
    },
  };
}

describe('R77 known failure 71: nobody is trusted', () => {
  let stage: Scene;
  beforeAll(async () => (stage = await startScene('none')));
  afterAll(() => stage.close());

  it.each(SEEING)('client address: %s counts the peer, whatever the fields say', async (name) => {
    const before = await countedFor(stage, PEER);
    const all = WORDS.flatMap((word) => ADDRESS_FIELDS.map((field) => field(word)));
    for (let at = 0; at < all.length; at += 16) {
      expect(await Promise.all(all.slice(at, at + 16).map((fields) => stage.asksFrom(name, fields)))).not.toContain(false);
    }
    expect((await countedFor(stage, PEER)) - before).toBe(all.length);
  });

  it.each(SURFACES.filter((name) => can(name, 'identity fields')))('identity fields: %s counts the caller that it knows, whatever the fields say', async (name) => {
    const [key, victim] = [newKey(), newKey()];
    const verdicts: boolean[] = [];
    for (let at = 0; at < 4; at += 1) verdicts.push((await stage.surface(name).ask({ key, path: '/hour', fields: identityFields(victim) })).allowed);
    expect(verdicts).toEqual([true, true, true, false]);
    const left = async (attributes: Readonly<Record<string, string>>): Promise<readonly unknown[]> => (await stage.witness.peek({ endpoint: 'GET /hour', ...attributes })).policies.map(({ policy, remaining }) => [policy, remaining]);
    expect(await left({ key_id: key })).toEqual([['hour', 0]]);
    expect(await left({ key_id: victim })).toEqual([['hour', 3]]);
    expect(await left({ plan: 'gold' })).toEqual([['gold', 1_000]]);
  });
});

describe('R77 one hop is trusted', () => {
  const CLIENT = '198.51.100.7';
  const CLIENT_V6 = '2001:db8::7';
  const LIAR = '203.0.113.9';

  /** What the proxy sends, and who is counted: what it wrote itself, at the end, or the proxy itself where that is no address. */
  const CASES: readonly (readonly [string | string[], string])[] = [
    [CLIENT, CLIENT],
    [`${LIAR}, ${CLIENT}`, CLIENT],
    [`${LIAR},${PEER},10.0.0.1,${CLIENT}`, CLIENT],
    [`${`${LIAR}, `.repeat(100)}${CLIENT}`, CLIENT],
    [[LIAR, CLIENT], CLIENT],
    [[LIAR, `${LIAR}, ${CLIENT}`], CLIENT],
    [`${LIAR}, ::ffff:${CLIENT}`, CLIENT],
    [`${LIAR}, ::FFFF:C633:6407`, CLIENT],
    [`${LIAR}, ${CLIENT}:5555`, CLIENT],
    [`${LIAR}, [${CLIENT_V6}]:443`, CLIENT_V6],
    [`${LIAR}, [${CLIENT_V6}]`, CLIENT_V6],
    [`${LIAR}, 2001:0DB8:0:0::7`, CLIENT_V6],
    [`${CLIENT}, ${LIAR}`, LIAR],
    [`${LIAR}, unknown`, PEER],
    [`${LIAR}, `, PEER],
    ['', PEER],
    [`${LIAR} ${CLIENT}`, PEER],
    [`${LIAR}, ${CLIENT}.example`, PEER],
  ];
  /** What a client can add, since a proxy hands on what it does not know. */
  const REST: SentFields = { Forwarded: `for=${LIAR}`, 'X-Real-IP': LIAR, 'CF-Connecting-IP': LIAR, 'True-Client-IP': LIAR, 'X-Client-IP': LIAR, X_Forwarded_For: LIAR };

  let stage: Scene;
  beforeAll(async () => (stage = await startScene({ hops: 1 })));
  afterAll(() => stage.close());

  it.each(SEEING)('client address: %s believes the last entry alone', async (name) => {
    const addresses = [CLIENT, CLIENT_V6, LIAR, PEER];
    const counts = (): Promise<readonly number[]> => Promise.all(addresses.map((ip) => countedFor(stage, ip)));
    for (const [value, expected] of CASES) {
      const before = await counts();
      expect(await stage.asksFrom(name, { ...REST, 'X-Forwarded-For': value })).toBe(true);
      const after = await counts();
      expect([value, addresses.filter((_ip, at) => after[at] !== before[at])]).toEqual([value, [expected]]);
    }
  });
});
