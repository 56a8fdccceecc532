import { createLimiter, type Decision, type Limiter, type ObserveShadow, systemClock } from '@sluice/limiter';
import { compileSnapshot } from '@sluice/rules';
import { createSnapshotClient, snapshotReadiness } from '@sluice/snapshot-client';
import { unreachedDecision } from '../remote/unreached-decision.js';
import type { Decider } from '../decider.js';
import { notedChecks } from './noted-checks.js';
import type { InProcessLimiter, InProcessOptions, LimiterProblem } from './open-limiter-options.js';
import { openStream } from './open-stream.js';
import { openStore } from './open-store.js';

const NO_RULES = compileSnapshot({ version: 0, plans: [], rules: [], overrides: [] });

/** A node of its own in this process: it takes part in the fleet's counters, and follows the control plane. */
export async function openInProcess(options: InProcessOptions): Promise<InProcessLimiter> {
  const { rules, redisUrl, beforeRules = 'deny', onProblem = warnOnceEach(), onShadow, ...engine } = options;
  const clock = systemClock();
  const stream = openStream(options, { clock, limiter: () => limiter });
  const { store, trouble, close: closeStore } = await openStore(redisUrl, onProblem);
  const limiter: Limiter = createLimiter({ ...engine, store, clock, rules: NO_RULES, onShadow: both(onShadow, stream?.noteShadow) });
  let hasRules = false;
  const snapshots = createSnapshotClient({
    url: rules.adminUrl,
    token: rules.token,
    ...(rules.pollMs !== undefined && { pollMs: rules.pollMs }),
    copyFile: rules.copyFile,
    onSnapshot(index) {
      limiter.use(index);
      hasRules = true;
    },
    onRefused: (reason) => onProblem({ kind: 'rules', message: `new rules are refused, ${whatStands()}: ${reason}` }),
    onError: (reason) => onProblem({ kind: 'rules', message: `no answer about the rules, ${whatStands()}: ${reason}${refusedToken()}` }),
    onCopyFault: ({ reason }) => onProblem({ kind: 'rules_copy', message: reason }),
  });
  const whatStands = (): string => (hasRules ? 'the old ones stay' : 'there are none yet');
  /** It is asked about again and again, since a control plane may come to know it later. */
  const refusedToken = (): string => (snapshots.status().unauthorized ? '; give `rules.token` one that has the role of a node there' : '');
  function withoutRules(cost: number, least = 0): Decision {
    // A bug of the caller does not wait for the rules.
    if (!Number.isSafeInteger(cost) || cost < least) throw new RangeError(`cost must be an integer of at least ${least}, got ${String(cost)}`);
    return unreachedDecision(beforeRules === 'allow', cost, Date.now());
  }
  let closing: Promise<void> | undefined;
  // Polls keep no process alive, and one that starts has nothing else yet: it would end while it awaits `ready`.
  const waiting = setInterval(() => undefined, 60_000);
  const stopWaiting = (): void => clearInterval(waiting);
  const charging: Pick<Decider, 'check' | 'reserve'> = {
    check: (attributes, cost) => (hasRules ? limiter.check(attributes, cost) : withoutRules(cost ?? 1)),
    reserve: async (attributes, estimate, reserved) =>
      hasRules ? limiter.reserve(attributes, estimate, reserved) : { decision: withoutRules(estimate, 1), id: undefined, expiresAtMs: undefined },
  };
  return {
    ready: snapshots.start().finally(stopWaiting),
    ...(stream === undefined ? charging : notedChecks(charging, stream)),
    decisionStream: stream,
    peek: async (attributes, cost) => (hasRules ? limiter.peek(attributes, cost) : withoutRules(cost ?? 1)),
    refund: (decision) => limiter.refund(decision),
    settle: (id, actual) => limiter.settle(id, actual),
    limits: (attributes) => limiter.limits(attributes),
    reset: (attributes) => limiter.reset(attributes),
    stats: () => limiter.stats(),
    status() {
      const { ok, detail } = snapshotReadiness(snapshots.status());
      const wrong = trouble();
      return { ok, detail: wrong === undefined ? detail : `${detail}; ${wrong}` };
    },
    close() {
      stopWaiting();
      closing ??= snapshots
        .close()
        .then(() => limiter.close())
        .then(() => stream?.close())
        .then(closeStore);
      return closing;
    },
  };
}

function both(one: ObserveShadow | undefined, other: ObserveShadow | undefined): ObserveShadow | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return (...heard) => {
    one(...heard);
    other(...heard);
  };
}

function warnOnceEach(): (problem: LimiterProblem) => void {
  const told = new Set<LimiterProblem['kind']>();
  return ({ kind, message }) => {
    if (told.has(kind)) return;
    told.add(kind);
    process.emitWarning(message, { type: 'SluiceWarning', code: `SLUICE_${kind.toUpperCase()}` });
  };
}
