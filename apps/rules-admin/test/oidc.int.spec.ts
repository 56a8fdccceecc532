import { SignJWT } from 'jose';
import { createHmac, createPublicKey } from 'node:crypto';
import { type Answer, type ControlPlane, startControlPlane } from './control-plane.js';
import { type OidcIssuer, signingKey, startIssuer } from './oidc-issuer.js';

let issuer: OidcIssuer;
let plane: ControlPlane;
beforeAll(async () => {
  issuer = await startIssuer();
  plane = await startControlPlane({ oidc: { issuer: issuer.url, audiences: ['sluice'], keyCooldownMs: 0 }, loginFailuresPerMinute: 100_000 });
}, 60_000);
afterAll(async () => {
  await plane.close();
  await issuer.close();
});

const get = (token: string, of = plane): Promise<Answer> => of.call('/v1/plans', { token });
const write = (token: string): Promise<Answer> => plane.call('/v1/plans/oidc', { method: 'PUT', json: {}, ifMatch: '*', token });
const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('R62 JWTs of an OIDC issuer', () => {
  it('open by role; the actor is in the audit', async () => {
    expect((await get(await issuer.token())).status).toBe(200);
    expect((await write(await issuer.token())).status).toBe(403);
    const editor = await issuer.token({ claims: { roles: ['viewer', 'editor'], sub: 'bob' } });
    expect((await plane.call('/v1/plans/oidc', { method: 'PUT', json: {}, ifNoneMatch: '*', token: editor })).status).toBe(201);
    expect((await plane.call('/v1/tokens', { token: editor })).status).toBe(403);
    expect((await plane.call('/v1/tokens', { token: await issuer.token({ claims: { roles: 'admin' } }) })).status).toBe(200);
    const node = await issuer.token({ claims: { roles: 'node' } });
    expect([(await plane.call('/v1/snapshot', { token: node })).status, (await get(node)).status]).toEqual([200, 403]);
    const { text } = await plane.call('/v1/audit');
    expect(text).toContain('"oidc:bob"');
  });

  it.each(['RS256', 'PS256', 'EdDSA'])('an issuer that signs by %s', async (algorithm) => {
    const other = await startIssuer(algorithm);
    const itsPlane = await startControlPlane({ oidc: { issuer: other.url, audiences: ['other', 'sluice'], jwksUrl: `${other.url}/keys` } });
    expect((await get(await other.token(), itsPlane)).status).toBe(200);
    await itsPlane.close();
    await other.close();
  }, 60_000);

  it.each<[string, Parameters<OidcIssuer['token']>[0]]>([
    ['another audience', { claims: { aud: 'billing' } }],
    ['no audience', { without: ['aud'] }],
    ['another issuer', { claims: { iss: 'https://login.evil.example' } }],
    ['no issuer', { without: ['iss'] }],
    ['expired a minute ago', { claims: { exp: Math.floor(Date.now() / 1_000) - 60 } }],
    ['no expiry', { without: ['exp'] }],
    ['not yet good', { claims: { nbf: Math.floor(Date.now() / 1_000) + 120 } }],
    ['issued in the future', { claims: { iat: Math.floor(Date.now() / 1_000) + 120 } }],
    ['no time of issue', { without: ['iat'] }],
    ['no subject', { without: ['sub'] }],
    ['a subject with a line break', { claims: { sub: 'alice\nadmin' } }],
    ['a subject that is endless', { claims: { sub: 'a'.repeat(256) } }],
    ['a logout token', { header: { typ: 'logout+jwt' } }],
    ['a critical extension that nobody knows', { header: { crit: ['urn:x'], 'urn:x': true } }],
    ['an unknown key id', { header: { kid: 'none' } }],
  ])('%s: 401', async (_what, parts) => {
    // By hand where jose would not sign it.
    const token = parts?.header?.['crit'] === undefined ? await issuer.token(parts) : await critical(parts.header);
    const answer = await get(token);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="sluice-admin", error="invalid_token"']);
  });

  it('what ended, or began, within the tolerance of 30 s still holds', async () => {
    const now = Math.floor(Date.now() / 1_000);
    expect((await get(await issuer.token({ claims: { exp: now - 10, iat: now - 300 } }))).status).toBe(200);
    expect((await get(await issuer.token({ claims: { nbf: now + 10, iat: now + 10 } }))).status).toBe(200);
  });

  it.each(['at+jwt', 'JWT', 'application/at+jwt', undefined])('typ %s is taken', async (typ) => {
    expect((await get(await issuer.token({ header: { typ } }))).status).toBe(200);
  });

  it('alg none, and HS256 with the public key for a secret: 401', async () => {
    const claims = (await issuer.token()).split('.')[1] ?? '';
    for (const alg of ['none', 'None', 'NONE']) expect((await get(`${base64url({ alg, kid: issuer.key.kid })}.${claims}.`)).status).toBe(401);
    const spki = createPublicKey({ key: { ...issuer.key.publicJwk }, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString();
    for (const secret of [spki, JSON.stringify(issuer.key.publicJwk), String(issuer.key.publicJwk.x)]) {
      const input = `${base64url({ alg: 'HS256', kid: issuer.key.kid, typ: 'JWT' })}.${claims}`;
      expect((await get(`${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`)).status).toBe(401);
    }
  });

  it('signed by another key under the right key id, with its own key in the header, or not at all: 401', async () => {
    const foreign = await signingKey();
    expect((await get(await issuer.token({ key: { ...foreign, kid: issuer.key.kid } }))).status).toBe(401);
    expect((await get(await issuer.token({ key: foreign, header: { jwk: foreign.publicJwk, kid: undefined } }))).status).toBe(401);
    expect((await get(await issuer.token({ key: foreign, header: { jku: 'http://127.0.0.1:1/keys' } }))).status).toBe(401);
    const [header, claims, signature = ''] = (await issuer.token()).split('.');
    expect((await get(`${header}.${claims}.`)).status).toBe(401);
    expect((await get(`${header}.${base64url({ ...JSON.parse(Buffer.from(claims ?? '', 'base64url').toString()), roles: ['admin'] })}.${signature}`)).status).toBe(401);
    expect((await get(`${header}.${claims}.${signature}.x`)).status).toBe(401);
  });

  it('a token of 9 KB is not looked at, one of 6 KB is', async () => {
    expect((await get(await issuer.token({ claims: { filler: 'x'.repeat(4_000) } }))).status).toBe(200);
    expect((await get(await issuer.token({ claims: { filler: 'x'.repeat(7_000) } }))).status).toBe(401);
  });

  it.each<[unknown, number]>([
    [undefined, 403],
    [[], 403],
    [['superuser'], 403],
    [{ admin: true }, 403],
    ['viewer', 200],
    ['other viewer', 200],
    [['other', 'viewer'], 200],
  ])('roles %j: %i', async (roles, status) => {
    const answer = await get(await issuer.token({ claims: { roles } }));
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.headers.get('www-authenticate')).toContain('insufficient_scope');
  });
});

async function critical(header: Record<string, unknown>): Promise<string> {
  const claims = JSON.parse(Buffer.from((await issuer.token()).split('.')[1] ?? '', 'base64url').toString());
  return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: issuer.key.kid, ...header }).sign(issuer.key.privateKey, { crit: { 'urn:x': true } });
}

describe('R62 keys of the issuer', () => {
  it('a nested claim and a map of roles', async () => {
    const other = await startControlPlane({
      oidc: { issuer: issuer.url, audiences: ['sluice'], roleClaim: 'realm_access.roles', roleMap: new Map([['sluice-admins', 'admin']]) },
    });
    expect((await other.call('/v1/tokens', { token: await issuer.token({ claims: { realm_access: { roles: ['sluice-admins'] } } }) })).status).toBe(200);
    expect((await get(await issuer.token({ claims: { roles: ['admin'] } }), other)).status).toBe(403);
    await other.close();
  }, 60_000);

  it('a new key is fetched when the first token of it comes; one that is withdrawn ends with that', async () => {
    const before = await issuer.token();
    expect((await get(before)).status).toBe(200);
    const fetches = issuer.fetches;
    expect((await get(before)).status).toBe(200);
    expect(issuer.fetches).toBe(fetches);
    await issuer.rotate({ keep: true });
    expect([(await get(await issuer.token())).status, (await get(before)).status]).toEqual([200, 200]);
    expect(issuer.fetches).toBe(fetches + 1);
    await issuer.rotate({ keep: false });
    expect([(await get(await issuer.token())).status, (await get(before)).status]).toEqual([200, 401]);
  });

  it('made-up key ids fetch the keys once in the cooldown', async () => {
    const other = await startControlPlane({ oidc: { issuer: issuer.url, audiences: ['sluice'] }, loginFailuresPerMinute: 100_000 });
    expect((await get(await issuer.token(), other)).status).toBe(200);
    const fetches = issuer.fetches;
    const answers = await Promise.all(Array.from({ length: 50 }, async (_, at) => get(await issuer.token({ header: { kid: `made-up-${at}` } }), other)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect(issuer.fetches - fetches).toBeLessThanOrEqual(1);
    await other.close();
  }, 60_000);

  it('while the issuer is away its last keys serve; for others nobody can tell: 503', async () => {
    expect((await get(await issuer.token())).status).toBe(200);
    issuer.setAway(true);
    expect((await get(await issuer.token())).status).toBe(200);
    const unknown = await get(await issuer.token({ header: { kid: 'new' } }));
    expect([unknown.status, unknown.body['type'], unknown.headers.get('retry-after')]).toEqual([503, 'urn:sluice:problem:issuer-unavailable', '2']);
    const other = await startControlPlane({ oidc: { issuer: issuer.url, audiences: ['sluice'], keyCooldownMs: 0 } });
    expect((await get(await issuer.token(), other)).status).toBe(503);
    expect((await other.call('/v1/plans')).status).toBe(200);
    issuer.setAway(false);
    expect((await get(await issuer.token(), other)).status).toBe(200);
    await other.close();
  }, 60_000);

  it('a discovery document that names another issuer gives no keys', async () => {
    const other = await startControlPlane({ oidc: { issuer: `${issuer.url}/tenant`, audiences: ['sluice'], keyCooldownMs: 0 } });
    expect((await get(await issuer.token({ claims: { iss: `${issuer.url}/tenant` } }), other)).status).toBe(503);
    await other.close();
  }, 60_000);
});
