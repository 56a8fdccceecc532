import { join } from 'node:path';
import { loadSync, type MethodDefinition, type ServiceDefinition } from '@grpc/proto-loader';

const ROOT = join(import.meta.dirname, '../proto');

/** Our .proto files as another implementation reads them. */
const definition = loadSync(
  ['envoy/service/ratelimit/v3/rls.proto', 'grpc/health/v1/health.proto', 'grpc/reflection/v1/reflection.proto', 'grpc/reflection/v1alpha/reflection.proto'].map((file) => join(ROOT, file)),
  { includeDirs: [ROOT], keepCase: true, longs: Number, enums: Number, defaults: false, arrays: true },
);

/** A service by its full name, as grpc-js wants it. */
export function serviceOf(name: string): ServiceDefinition {
  const service = definition[name];
  if (service === undefined || 'format' in service) throw new Error(`no such service: ${name}`);
  return service;
}

export const RLS = 'envoy.service.ratelimit.v3.RateLimitService';

/** `ShouldRateLimit`, with its encoders and decoders. */
export function shouldRateLimitDefinition(): MethodDefinition<object, object> {
  const method = serviceOf(RLS)['ShouldRateLimit'];
  if (method === undefined) throw new Error('no ShouldRateLimit');
  return method;
}
