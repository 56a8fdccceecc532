import { createGrpcServer, createRateLimitService, type GrpcServer, rateLimitMethods } from '@sluice/envoy-rls';
import type { HeaderChoice } from '@sluice/middleware';
import { type HealthChecks, type Logger, type Registry, StartError } from '@sluice/platform';
import type { RulesNode } from '@sluice/rules-node';
import { askerAt } from '../access/asker.js';
import type { MayAsk } from '../access/may-ask.js';
import { renewTls } from '../access/renew-tls.js';
import { readTls, type TlsFiles } from '../access/tls-files.js';
import { measureCalls } from './call-metrics.js';

export interface GrpcOptions {
  readonly host: string;
  /** 0: any. */
  readonly port: number;
  readonly node: Pick<RulesNode, 'limiter' | 'observe' | 'hasRules'>;
  readonly mayAsk: MayAsk;
  readonly tls: TlsFiles | undefined;
  readonly health: HealthChecks;
  readonly metrics: Registry;
  readonly logger: Logger;
  /** Fields that Envoy adds to responses. */
  readonly headers: HeaderChoice;
}

/** What listens for gRPC. */
export interface RunningGrpc {
  readonly port: number;
  /** Answers what is under way, and cuts what is left after `deadlineMs` (R44). */
  close(deadlineMs: number): Promise<void>;
}

/**
 * gRPC's usual 4 MiB. Envoy puts header fields of clients into descriptors, up to 60 KiB into each, and lets a request pass whose call failed: a message that is too
 * large would be a way around every limit (docs/adr/0027-envoy-semantics.md).
 */
const MOST_MESSAGE_BYTES = 4 * 1024 * 1024;

/** Serves Envoy's rate limit service (R73) with health and reflection. @throws StartError when the port cannot be had */
export async function serveGrpc({ host, port, node, mayAsk, tls, health, metrics, logger, headers }: GrpcOptions): Promise<RunningGrpc> {
  const service = createRateLimitService({ limiter: node.limiter, observe: node.observe, hasRules: node.hasRules, headers });
  const server = await createGrpcServer(
    {
      methods: rateLimitMethods(service, { isReady: async () => (await health.readiness()).ready }),
      mayCall: (call) => mayAsk(askerAt(call.socket, call.headers.authorization)),
      maxMessageBytes: MOST_MESSAGE_BYTES,
      onCall: measureCalls(metrics),
      onError: (error, path) => logger.error({ err: error, path }, 'a gRPC call failed'),
      tls: tls && { ...readTls(tls), requestCert: tls.clientCa !== undefined, rejectUnauthorized: false },
    },
    { host, port },
  ).catch((error: unknown) => {
    throw new StartError(`gRPC cannot listen on ${host}:${port} (${codeOf(error)}): choose another by SLUICE_DECISION_GRPC_PORT`);
  });
  const stopRenewing = tls === undefined ? undefined : renewTls({ files: tls, server, logger });
  return {
    port: server.port,
    async close(deadlineMs) {
      stopRenewing?.();
      await closeInTime(server, deadlineMs, logger);
    },
  };
}

async function closeInTime(server: GrpcServer, deadlineMs: number, logger: Logger): Promise<void> {
  if (!(await server.close(deadlineMs))) logger.warn('gRPC calls that did not end were cut');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
