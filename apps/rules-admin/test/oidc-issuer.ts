import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import type { CryptoKey, JWTPayload } from 'jose';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface SigningKey {
  readonly kid: string;
  readonly algorithm: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

/** What a token says beyond the usual. */
export interface TokenParts {
  readonly claims?: JWTPayload;
  /** Claims that are left out. */
  readonly without?: readonly string[];
  readonly header?: Record<string, unknown>;
  readonly key?: SigningKey;
}

/** An OIDC issuer on this machine, with its discovery document and its keys. */
export interface OidcIssuer {
  readonly url: string;
  readonly key: SigningKey;
  /** Times that its keys were fetched. */
  readonly fetches: number;
  /** A token as it would sign it: for `sluice`, of alice, for five minutes. */
  token(parts?: TokenParts): Promise<string>;
  /** From now on it signs with another key; `keep` says whether the old one stays published. */
  rotate(options: { readonly keep: boolean }): Promise<void>;
  /** Whether it answers. */
  setAway(away: boolean): void;
  close(): Promise<void>;
}

let serial = 0;

export async function signingKey(algorithm = 'ES256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  serial += 1;
  const kid = `key-${serial}`;
  return { kid, algorithm, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' } };
}

export async function startIssuer(algorithm = 'ES256'): Promise<OidcIssuer> {
  let key = await signingKey(algorithm);
  let published = [key];
  let away = false;
  let fetches = 0;
  const server = createServer((request, response) => {
    if (away) {
      response.writeHead(500).end();
      return;
    }
    const discovery = request.url?.endsWith('/.well-known/openid-configuration') === true;
    if (!discovery) fetches += 1;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(discovery ? { issuer: url, jwks_uri: `${url}/keys` } : { keys: published.map(({ publicJwk }) => publicJwk) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    get key() {
      return key;
    },
    get fetches() {
      return fetches;
    },
    token: async ({ claims = {}, without = [], header = {}, key: by = key } = {}) => {
      const now = Math.floor(Date.now() / 1_000);
      const all: JWTPayload = { iss: url, aud: 'sluice', sub: 'alice', iat: now, exp: now + 300, roles: ['viewer'], ...claims };
      const payload = Object.fromEntries(Object.entries(all).filter(([name]) => !without.includes(name)));
      return new SignJWT(payload).setProtectedHeader({ alg: by.algorithm, kid: by.kid, typ: 'at+jwt', ...header }).sign(by.privateKey);
    },
    rotate: async ({ keep }) => {
      const next = await signingKey(algorithm);
      published = keep ? [...published, next] : [next];
      key = next;
    },
    setAway: (now) => {
      away = now;
    },
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}
