import { credentials, type GrpcObject, loadPackageDefinition, type ServiceClientConstructor, type ServiceError } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { join } from 'node:path';
import { OVERRIDE_UNITS, type RateLimitRequest, type RateLimitResponse, RESPONSE_UNITS } from '../../src/messages.js';
import { rateLimitMethods } from '../../src/rate-limit-methods.js';
import type { RateLimitAnswer, RateLimitService } from '../../src/service/rate-limit-service.js';
import { createGrpcServer } from '../../src/transport/create-grpc-server.js';

const PROTO = join(import.meta.dirname, '../../proto');

/** A response as the official client reads it. */
interface WireResponse {
  readonly overall_code: RateLimitResponse['overallCode'];
  readonly statuses: readonly {
    readonly code: RateLimitResponse['overallCode'];
    readonly current_limit: { readonly requests_per_unit: number; readonly unit: number; readonly name: string } | null;
    readonly limit_remaining: number;
    readonly duration_until_reset: { readonly seconds: number; readonly nanos: number } | null;
  }[];
  readonly response_headers_to_add: RateLimitResponse['responseHeadersToAdd'];
  readonly request_headers_to_add: RateLimitResponse['requestHeadersToAdd'];
  readonly raw_body: Buffer;
}

/** The service behind a gRPC server of ours, asked by the official client: the same function, by way of the wire. */
export async function overGrpc(service: RateLimitService): Promise<{ readonly service: RateLimitService; close(): Promise<void> }> {
  const server = await createGrpcServer({ methods: rateLimitMethods(service, { isReady: async () => true }) }, { host: '127.0.0.1', port: 0 });
  const definition = loadSync('envoy/service/ratelimit/v3/rls.proto', { includeDirs: [PROTO], keepCase: true, longs: Number, enums: Number, defaults: true });
  const { envoy } = loadPackageDefinition(definition) as { envoy: { service: { ratelimit: { v3: GrpcObject } } } };
  const RateLimitServiceClient = envoy.service.ratelimit.v3['RateLimitService'] as ServiceClientConstructor;
  const client = new RateLimitServiceClient(`127.0.0.1:${server.port}`, credentials.createInsecure());
  return {
    service: (request) =>
      new Promise<RateLimitAnswer>((resolve) => {
        client['ShouldRateLimit']?.(wireRequest(request), (error: ServiceError | null, response: WireResponse) => {
          resolve(error === null ? ourResponse(response) : { code: error.code, message: error.details });
        });
      }),
    async close() {
      client.close();
      await server.close(100);
    },
  };
}

function wireRequest({ domain, descriptors, hitsAddend }: RateLimitRequest): object {
  return {
    domain,
    hits_addend: hitsAddend,
    descriptors: descriptors.map((each) => ({
      entries: each.entries,
      is_negative_hits: each.isNegativeHits,
      ...(each.hitsAddend === undefined ? {} : { hits_addend: { value: each.hitsAddend } }),
      ...(each.limit === undefined ? {} : { limit: { requests_per_unit: each.limit.requestsPerUnit, unit: OVERRIDE_UNITS[each.limit.unit] } }),
    })),
  };
}

function ourResponse(response: WireResponse): RateLimitResponse {
  return {
    overallCode: response.overall_code,
    statuses: response.statuses.map(({ code, current_limit, limit_remaining, duration_until_reset }) => ({
      code,
      currentLimit: current_limit === null ? undefined : { requestsPerUnit: current_limit.requests_per_unit, unit: RESPONSE_UNITS[current_limit.unit] ?? 'UNKNOWN', name: current_limit.name },
      limitRemaining: limit_remaining,
      durationUntilResetMs: duration_until_reset === null ? undefined : duration_until_reset.seconds * 1000 + duration_until_reset.nanos / 1e6,
    })),
    responseHeadersToAdd: response.response_headers_to_add,
    requestHeadersToAdd: response.request_headers_to_add,
    rawBody: response.raw_body.toString(),
  };
}
