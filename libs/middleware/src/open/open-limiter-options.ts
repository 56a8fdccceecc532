import type { DecisionStream, DecisionStreamOptions } from '@sluice/decision-stream';
import type { Decision, Limiter, LimiterOptions } from '@sluice/limiter';
import type { Decider } from '../decider.js';
import type { RemoteDeciderOptions, RemoteStats } from '../remote/remote-options.js';

/** An engine in this process: rules from the control plane, counters in Redis or in memory. */
export interface InProcessOptions extends Pick<LimiterOptions, 'fleetSize' | 'nodeId' | 'keyPrefix' | 'hotKeys' | 'maxKeys' | 'onShadow'> {
  readonly rules: {
    /** Base of the control plane, such as `https://admin.internal:3000`. */
    readonly adminUrl: string;
    /** Bearer token with the role of a node. */
    readonly token?: string | undefined;
    /** Longest pause between two looks for new rules, ms; default 30,000. */
    readonly pollMs?: number | undefined;
    /** Keeps the last good rules, so that a start does not need the control plane (R43). */
    readonly copyFile?: string | undefined;
  };
  /** `redis://` or `rediss://`; several are nodes of one cluster. Absent: counters of this process alone. */
  readonly redisUrl?: string | readonly string[] | undefined;
  /** What requests get while there are no rules yet: 503, or they pass; default `deny`. Who awaits `ready` never meets it. */
  readonly beforeRules?: 'allow' | 'deny' | undefined;
  /** Hears what is wrong: rules that are refused, a control plane or a Redis that is away. Default: each kind once to `process.emitWarning`. */
  readonly onProblem?: ((problem: LimiterProblem) => void) | undefined;
  /** Where to send what is decided here, as events (R80); absent: nowhere. Attributes that are given to `check` must not be changed afterwards then. */
  readonly decisionStream?: SentDecisions | undefined;
}

/** What is sent, and where. All that refuses is, and what rules in shadow would have refused. */
export interface SentDecisions extends Pick<DecisionStreamOptions, 'sink' | 'allowShare' | 'ruleShares' | 'attributes'> {
  /** 1 to 32 lower-case letters, digits or -; default `local`. */
  readonly region?: string | undefined;
}

/** The decision service, asked over HTTP. */
export interface RemoteOptions extends Omit<RemoteDeciderOptions, 'url'> {
  /** `http://…`, `https://…` or `unix:/path`. */
  readonly decision: string;
}

export interface LimiterProblem {
  readonly kind: 'rules' | 'rules_copy' | 'store';
  readonly message: string;
}

/** For a readiness probe. */
export interface LimiterStatus {
  /**
   * Requests are decided by rules: there are some, or the decision service has answered before (asked by this very look, if need be). A store or a service that
   * went away since is no reason to stop serving: see `detail`.
   */
  readonly ok: boolean;
  readonly detail: string;
}

/** A decider with what belongs to it; `close` ends all. */
export interface OpenedLimiter extends Decider {
  /** Resolves when there are rules to decide by; at once where the decision service has them. Never rejects. */
  readonly ready: Promise<void>;
  status(): LimiterStatus;
}

export interface InProcessLimiter extends OpenedLimiter, Pick<Limiter, 'limits' | 'reset' | 'stats'> {
  /** What `decisionStream` has sent and lost; also takes requests that the application itself refused, since nobody knows who sent them. Absent without that option. */
  readonly decisionStream: Pick<DecisionStream, 'noteUnauthenticated' | 'stats'> | undefined;
}

export interface RemoteLimiter extends OpenedLimiter {
  check(...asked: Parameters<Decider['check']>): Promise<Decision>;
  stats(): RemoteStats;
}
