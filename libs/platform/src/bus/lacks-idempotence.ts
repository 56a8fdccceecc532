/** What a broker answers that has no idempotent producer, or not for this client. */
const REFUSALS: ReadonlySet<unknown> = new Set(['UNSUPPORTED_VERSION', 'INVALID_REQUEST', 'CLUSTER_AUTHORIZATION_FAILED']);
/** Brokers that do not know the request, or name no controller to ask (librdkafka's mock). */
const NAMES: ReadonlySet<unknown> = new Set(['KafkaJSServerDoesNotSupportApiKey', 'KafkaJSBrokerNotFound']);

/** Whether an idempotent producer could not start for want of idempotence, where a plain one would do. */
export function lacksIdempotence(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return NAMES.has(error.name) || REFUSALS.has('type' in error ? error.type : undefined);
}
