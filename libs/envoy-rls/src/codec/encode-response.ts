import { type CurrentLimit, type DescriptorStatus, type HeaderValue, type RateLimitResponse, RESPONSE_UNITS } from '../messages.js';
import { WIRE } from './wire-reader.js';
import { WireWriter } from './wire-writer.js';

const bytes = (field: number): number => field * 8 + WIRE.bytes;
const varint = (field: number): number => field * 8 + WIRE.varint;

const RESPONSE = { overallCode: varint(1), statuses: bytes(2), responseHeadersToAdd: bytes(3), requestHeadersToAdd: bytes(4), rawBody: bytes(5) } as const;
const STATUS = { code: varint(1), currentLimit: bytes(2), limitRemaining: varint(3), durationUntilReset: bytes(4) } as const;
const LIMIT = { requestsPerUnit: varint(1), unit: varint(2), name: bytes(3) } as const;
const HEADER = { key: bytes(1), value: bytes(2) } as const;
const DURATION = { seconds: varint(1), nanos: varint(2) } as const;

const UNIT_NUMBER = new Map(RESPONSE_UNITS.map((unit, number) => [unit, number]));
const writer = new WireWriter();

/**
 * Encodes `envoy.service.ratelimit.v3.RateLimitResponse`. Limits and what remains are uint32 there: larger ones are sent as 2^32-1.
 *
 * @param headroom bytes to leave in front, for gRPC's frame
 */
export function encodeRateLimitResponse(response: RateLimitResponse, headroom = 0): Buffer {
  writer.reset();
  writer.varint(RESPONSE.overallCode, response.overallCode);
  for (const status of response.statuses) writeStatus(status);
  for (const header of response.responseHeadersToAdd) writeHeader(RESPONSE.responseHeadersToAdd, header);
  for (const header of response.requestHeadersToAdd) writeHeader(RESPONSE.requestHeadersToAdd, header);
  writer.string(RESPONSE.rawBody, response.rawBody);
  return writer.take(headroom);
}

function writeStatus({ code, currentLimit, limitRemaining, durationUntilResetMs }: DescriptorStatus): void {
  const start = writer.begin(RESPONSE.statuses);
  writer.varint(STATUS.code, code);
  if (currentLimit !== undefined) writeLimit(currentLimit);
  writer.uint32(STATUS.limitRemaining, limitRemaining);
  if (durationUntilResetMs !== undefined) writeDuration(durationUntilResetMs);
  writer.finish(start);
}

function writeLimit({ requestsPerUnit, unit, name }: CurrentLimit): void {
  const start = writer.begin(STATUS.currentLimit);
  writer.uint32(LIMIT.requestsPerUnit, requestsPerUnit);
  writer.varint(LIMIT.unit, UNIT_NUMBER.get(unit) ?? 0);
  writer.string(LIMIT.name, name);
  writer.finish(start);
}

/** `google.protobuf.Duration`, in whole ms: rounded up, so that nobody is told too early. */
function writeDuration(ms: number): void {
  const whole = Math.max(0, Math.ceil(ms));
  const start = writer.begin(STATUS.durationUntilReset);
  writer.varint(DURATION.seconds, Math.floor(whole / 1_000));
  writer.varint(DURATION.nanos, (whole % 1_000) * 1_000_000);
  writer.finish(start);
}

function writeHeader(tag: number, { key, value }: HeaderValue): void {
  const start = writer.begin(tag);
  writer.string(HEADER.key, key);
  writer.string(HEADER.value, value);
  writer.finish(start);
}
