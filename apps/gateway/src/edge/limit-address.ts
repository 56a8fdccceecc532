import type { Decision, PolicyOutcome } from '@sluice/limiter';
import type { Registry } from '@sluice/platform';
import type { NodeStream } from '@sluice/rules-node';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { Counter } from 'prom-client';
import type { EdgeLimit } from '../config/edge-limit.js';
import { answerRefusal } from '../limit/answer-refusal.js';
import { EdgeTable } from './edge-table.js';
import { networkWords } from './network-words.js';

export interface LimitAddressOptions {
  /** Absent: none. */
  readonly limit: EdgeLimit | undefined;
  /** Bits of an IPv6 address that stand for one client. */
  readonly ipv6Prefix: number;
  readonly metrics: Registry;
  /** Hears of refusals. What passes is counted by no rule and is no event: the passes behind it have theirs. */
  readonly stream: NodeStream | undefined;
}

type Hook = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void;

/** The name of the edge's own policy in the fields. */
const POLICY = 'edge';

/**
 * The first hook of all: the edge's own limit by address (R76), in the memory of this process. Whatever comes is counted, before keys are
 * read or rules asked, so that guessing keys is limited too. Needs `request.client`.
 */
export function limitAddress({ limit, ipv6Prefix, metrics, stream }: LimitAddressOptions): Hook {
  if (limit === undefined) return (_request, _reply, done) => done();
  const table = new EdgeTable(limit);
  const network = new Uint32Array(4);
  const refusals = new Counter({ name: 'sluice_edge_refusals_total', help: "Requests that the edge's own limit by address refused.", registers: [metrics] });

  return (request, reply, done) => {
    // Without an address the socket is gone, and nobody is there to be limited.
    if (!networkWords(request.client.address, ipv6Prefix, network)) return done();
    const nowMs = Math.floor(performance.now());
    const waitMs = table.take(network, nowMs);
    if (waitMs === 0) return done();
    refusals.inc();
    const refusal = refusalOf(limit, waitMs, table.freeInMs(network, nowMs));
    // Without the endpoint: to work it out is more than this hook is to cost, and of what cannot be decoded there is none.
    stream?.note(refusal, { ip: request.client.address });
    answerRefusal(reply, refusal);
  };
}

/** As a decision, so that its fields and its problem are those of every other refusal (R70). */
function refusalOf({ limit, windowMs }: EdgeLimit, retryMs: number, resetMs: number): Decision {
  const deciding: PolicyOutcome = {
    policy: POLICY,
    ruleId: POLICY,
    ruleVersion: 1,
    allowed: false,
    limit,
    windowMs,
    remaining: 0,
    resetMs,
    retryMs,
    source: 'local',
    reason: 'quota',
    overrideId: undefined,
    delayMs: 0,
    charge: undefined,
  };
  const [policies, nowMs] = [[deciding], Date.now()];
  return { allowed: false, reason: 'quota', deciding, policies, shadow: [], retryAfterMs: retryMs, delayMs: 0, cost: 1, nowMs, snapshotVersion: 0 };
}
