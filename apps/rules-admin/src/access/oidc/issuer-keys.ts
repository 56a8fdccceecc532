import type { Logger } from '@sluice/platform';
import { createLocalJWKSet, type CryptoKey, type FlattenedJWSInput, type JSONWebKeySet, type JWSHeaderParameters, type LocalJWKSet } from 'jose';
import { fetchJson } from './fetch-json.js';
import { isSafeUrl, type OidcConfig } from './oidc-config.js';

/** From here on the set is asked for again, in the background. */
const FRESH_MS = 300_000;
/** While the issuer is away its last keys serve so long: a key that it withdrew has to end some time. */
const KEPT_MS = 86_400_000;
/** An unknown key makes us ask at most this often: anybody can make one up. */
const COOLDOWN_MS = 30_000;
/** The same before there are any keys. */
const FIRST_COOLDOWN_MS = 2_000;

/** No keys, or none that are recent enough to say that one is not there. */
export class IssuerAway extends Error {
  override readonly name = 'IssuerAway';
}

/** The keys of the issuer (RFC 7517), by the key id of a token. One that is unknown makes them be fetched again, so that the issuer may change keys at any time. */
export class IssuerKeys {
  private keys: LocalJWKSet | undefined;
  private fetchedAtMs = -Infinity;
  private triedAtMs = -Infinity;
  private lastFailed = false;
  private fetching: Promise<void> | undefined;

  constructor(
    private readonly config: OidcConfig,
    private readonly logger: Logger,
    private readonly cooldownMs = COOLDOWN_MS,
  ) {}

  /** @throws IssuerAway, and what jose throws where no key or more than one fits */
  async keyFor(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> {
    const ageMs = performance.now() - this.fetchedAtMs;
    if (this.keys === undefined || ageMs > KEPT_MS) await this.fetch();
    else if (ageMs > FRESH_MS) void this.fetch();
    try {
      return await this.current()(header, token);
    } catch (error) {
      if (!isNoSuchKey(error)) throw error;
      await this.fetch();
      if (this.lastFailed) throw new IssuerAway('The issuer does not answer, and the key is not among its last ones.');
      return this.current()(header, token);
    }
  }

  private current(): LocalJWKSet {
    if (this.keys === undefined || performance.now() - this.fetchedAtMs > KEPT_MS) throw new IssuerAway('The keys of the issuer could not be had.');
    return this.keys;
  }

  /** Not while it was tried just now; all who ask meanwhile share one try. */
  private fetch(): Promise<void> {
    const cooldownMs = this.keys === undefined ? Math.min(FIRST_COOLDOWN_MS, this.cooldownMs) : this.cooldownMs;
    if (this.fetching === undefined && performance.now() - this.triedAtMs < cooldownMs) return Promise.resolve();
    this.fetching ??= this.tryFetch().finally(() => {
      this.fetching = undefined;
    });
    return this.fetching;
  }

  private async tryFetch(): Promise<void> {
    this.triedAtMs = performance.now();
    try {
      const url = this.config.jwksUrl ?? (await this.discover());
      // It checks the shape itself, and takes public keys alone.
      this.keys = createLocalJWKSet((await fetchJson(url)) as JSONWebKeySet);
      this.fetchedAtMs = this.triedAtMs;
      this.lastFailed = false;
    } catch (error) {
      this.lastFailed = true;
      this.logger.warn({ err: error }, 'keys of the OIDC issuer could not be fetched; the last ones serve on');
    }
  }

  /** OpenID Connect Discovery 1.0 section 4. */
  private async discover(): Promise<string> {
    const { issuer } = this.config;
    const document = await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    if (!('issuer' in document) || document.issuer !== issuer) throw new Error(`The discovery document of ${issuer} names another issuer.`);
    if (!('jwks_uri' in document) || typeof document.jwks_uri !== 'string' || !isSafeUrl(document.jwks_uri)) throw new Error(`The discovery document of ${issuer} has no jwks_uri over https.`);
    return document.jwks_uri;
  }
}

function isNoSuchKey(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_JWKS_NO_MATCHING_KEY';
}
