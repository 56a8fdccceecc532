export type SkinWarningCode =
  | 'SLUICE_TRUST_PROXY_TRUE'
  | 'SLUICE_UNTRUSTED_FORWARDED_FOR'
  | 'SLUICE_ONE_ADDRESS'
  | 'SLUICE_KEY_IS_RAW_IPV6'
  | 'SLUICE_PATH_IN_LOWER_CASE'
  | 'SLUICE_SKIN_PER_REQUEST'
  | 'SLUICE_LIMITERS_PER_REQUEST'
  | 'SLUICE_RULE_CHARGED_TWICE'
  | 'SLUICE_REFUND_FAILED';

/** Something that is set up wrong, though requests are decided. */
export interface SkinWarning {
  readonly code: SkinWarningCode;
  /** What is wrong, and how to mend it. */
  readonly message: string;
}

const MESSAGES: Readonly<Record<SkinWarningCode, string>> = {
  SLUICE_TRUST_PROXY_TRUE:
    "The framework's `trust proxy` is true, so its `ip` is whatever the client writes into X-Forwarded-For. Set it to the number or the networks of your own proxies; for limits set `trustedProxies`, which Sluice reads instead.",
  SLUICE_UNTRUSTED_FORWARDED_FOR:
    "A request came with X-Forwarded-For from a private address, so there seems to be a proxy in front, but `trustedProxies` is 'none': everybody behind it is counted as one address. Set `trustedProxies` to { hops: 1 } or to its networks, or remove the field at the edge.",
  SLUICE_ONE_ADDRESS:
    'A request came over a Unix socket, whose peer has no address, and it says nothing of its client that is to be believed: all such requests are counted as 127.0.0.1. Let the proxy in front send X-Forwarded-For, and set `trustedProxies` to { hops: 1 }.',
  SLUICE_KEY_IS_RAW_IPV6:
    'The `key` of a request is a whole IPv6 address. One subscriber has at least 2^64 of them and would never be limited: use `ipKey(address)`, which counts by subnet, or leave `key` out and count rules by `ip`.',
  SLUICE_PATH_IN_LOWER_CASE:
    'A path with capital letters was brought to lower case, since the routes are matched whatever the case and no route was known yet, or only its wildcard: a rule whose endpoint has capital letters does not apply there. Write such rules in lower case, bind the limit on the route, or make the routes case sensitive; say which by `caseSensitiveRoutes`, true or false.',
  SLUICE_SKIN_PER_REQUEST:
    'The rate limit is built anew while requests are handled. Build it once, outside the handler, and use what you got for every request.',
  SLUICE_LIMITERS_PER_REQUEST:
    'Many limiters are opened within a second. Each has connections, rules and counters of its own: open one when the process starts and hand it to every skin.',
  SLUICE_RULE_CHARGED_TWICE:
    'A request meets two limits of one limiter with different names, and a rule applies to both, so it is charged twice. Give rules that shall be counted once the same `policy` as the more specific rule, or let them match one of the names by `descriptors: {"rule": …}`.',
  SLUICE_REFUND_FAILED:
    '`refundWhen`, or giving a decision back, threw an error. The permits stay charged. See the error in the message.',
};

const toldOfProcess = new Set<SkinWarningCode>();

/** Says each thing once: to whoever listens, else once in a process. */
export class Warnings {
  private readonly told: Set<SkinWarningCode>;

  constructor(private readonly listener: ((warning: SkinWarning) => void) | undefined) {
    this.told = listener === undefined ? toldOfProcess : new Set();
  }

  has(code: SkinWarningCode): boolean {
    return this.told.has(code);
  }

  tell(code: SkinWarningCode, detail = ''): void {
    if (this.told.has(code)) return;
    this.told.add(code);
    const message = detail === '' ? MESSAGES[code] : `${MESSAGES[code]} (${detail})`;
    if (this.listener === undefined) process.emitWarning(message, { type: 'SluiceWarning', code });
    else this.listener({ code, message });
  }
}
