import type { RemoteOptions, InProcessOptions, SentDecisions } from './open-limiter-options.js';
import { isPromise } from '../options/require-decider.js';
import { type NamesOf, requireKnown } from '../options/require-known.js';

const IN_PROCESS: NamesOf<InProcessOptions> = {
  rules: true,
  redisUrl: true,
  beforeRules: true,
  onProblem: true,
  fleetSize: true,
  nodeId: true,
  keyPrefix: true,
  hotKeys: true,
  maxKeys: true,
  onShadow: true,
  decisionStream: true,
};
const RULES: NamesOf<InProcessOptions['rules']> = { adminUrl: true, token: true, pollMs: true, copyFile: true };
const STREAM: NamesOf<SentDecisions> = { sink: true, region: true, allowShare: true, ruleShares: true, attributes: true };
const REMOTE: NamesOf<RemoteOptions> = {
  decision: true,
  token: true,
  timeoutMs: true,
  onFailure: true,
  domain: true,
  maxUnderWay: true,
  failuresToOpen: true,
  probeMs: true,
  onFault: true,
};

/** Node fires later than this at once (known failure 43). */
const MOST_MS = 2 ** 31 - 1;

/**
 * Says whose rules are meant: the decision service's, or those of a control plane, for an engine in this process.
 *
 * @throws TypeError for options that name neither or both, and for those that are none; RangeError for values
 */
export function isRemote(options: InProcessOptions | RemoteOptions): options is RemoteOptions {
  const { rules, decision } = named(options);
  if (rules !== undefined && decision !== undefined) {
    throw new TypeError('openLimiter takes `rules`, for an engine in this process, or `decision`, to ask the decision service, and not both');
  }
  if (decision !== undefined) {
    requireKnown('openLimiter with `decision`', options, REMOTE);
    if (typeof decision !== 'string') throw new TypeError(`decision is the address of the decision service, http://…, https://… or unix:/…, not ${typeof decision}`);
    return true;
  }
  if (rules === undefined) {
    throw new TypeError("openLimiter needs `rules: { adminUrl, token }`, for an engine in this process, or `decision: 'http://…'` and `onFailure`, to ask the decision service");
  }
  requireKnown('openLimiter with `rules`', options, IN_PROCESS);
  requireKnown('rules of openLimiter', rules, RULES);
  const inProcess = options as InProcessOptions;
  checkInProcess(inProcess);
  if (inProcess.decisionStream !== undefined) checkStream(inProcess.decisionStream);
  return false;
}

function named(options: unknown): { readonly rules?: unknown; readonly decision?: unknown } {
  if (typeof options !== 'object' || options === null) return {};
  if (isPromise(options)) throw new TypeError('openLimiter was given a promise: await it first');
  return options;
}

function checkInProcess({ rules, beforeRules = 'deny' }: InProcessOptions): void {
  const { adminUrl, pollMs = 1 } = rules;
  if (!isHttp(adminUrl)) throw new RangeError(`rules.adminUrl is the base of the control plane, http://… or https://…, not ${typeof adminUrl === 'string' ? JSON.stringify(adminUrl) : typeof adminUrl}`);
  if (!Number.isSafeInteger(pollMs) || pollMs < 1 || pollMs > MOST_MS) throw new RangeError(`rules.pollMs must be an integer of at least 1, not ${pollMs}`);
  if (beforeRules !== 'allow' && beforeRules !== 'deny') throw new RangeError(`beforeRules must be allow or deny, not ${JSON.stringify(beforeRules)}`);
}

/** What is a matter of its values a stream checks by itself. */
function checkStream(stream: SentDecisions): void {
  requireKnown('decisionStream of openLimiter', stream, STREAM);
  const { sink, region = 'local' } = stream;
  if (typeof sink?.send !== 'function') throw new TypeError('decisionStream.sink must have a function send(messages) that resolves to how many were accepted');
  if (typeof region !== 'string' || !/^[a-z0-9-]{1,32}$/.test(region)) throw new RangeError(`decisionStream.region must be 1 to 32 lower-case letters, digits or -, not ${JSON.stringify(region)}`);
}

function isHttp(url: unknown): boolean {
  return typeof url === 'string' && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
