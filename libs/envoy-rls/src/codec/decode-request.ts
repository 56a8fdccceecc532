import type { Descriptor, DescriptorEntry, LimitOverride, RateLimitRequest } from '../messages.js';
import { MAX_DESCRIPTORS, MAX_ENTRIES, TOO_MANY_DESCRIPTORS, tooManyEntries } from '../request-bounds.js';
import { GRPC_STATUS, type GrpcFault } from '../transport/grpc-fault.js';
import { WIRE, WireError, WireReader } from './wire-reader.js';

/** A field's tag: its number and the wire type that it must have. Another type is another field to protobuf, and is skipped. */
const bytes = (field: number): number => field * 8 + WIRE.bytes;
const varint = (field: number): number => field * 8 + WIRE.varint;

const REQUEST = { domain: bytes(1), descriptors: bytes(2), hitsAddend: varint(3) } as const;
const DESCRIPTOR = { entries: bytes(1), limit: bytes(2), hitsAddend: bytes(3), isNegativeHits: varint(4) } as const;
const ENTRY = { key: bytes(1), value: bytes(2) } as const;
const LIMIT = { requestsPerUnit: varint(1), unit: varint(2) } as const;
const VALUE = varint(1);

const reader = new WireReader();

/** Thrown within the decoder alone. Read to its end, a message of 4 MiB would be millions of objects. */
class TooMany extends Error {}

/**
 * Decodes `envoy.service.ratelimit.v3.RateLimitRequest` straight into our form, as any protobuf parser would: unknown fields are skipped, the last of a
 * scalar counts, messages that come in pieces are merged.
 *
 * @returns INTERNAL for what is no message, which is what gRPC has for it, and INVALID_ARGUMENT, with the first that is too many, for more than a request may hold; a string that is not UTF-8 is one all the same
 */
export function decodeRateLimitRequest(message: Buffer): RateLimitRequest | GrpcFault {
  try {
    reader.open(message);
    return readRequest();
  } catch (error) {
    if (error instanceof WireError) return { code: GRPC_STATUS.internal, message: `not a RateLimitRequest: ${error.message}` };
    if (error instanceof TooMany) return { code: GRPC_STATUS.invalidArgument, message: error.message };
    throw error;
  }
}

function readRequest(): RateLimitRequest {
  let domain = '';
  let hitsAddend = 0;
  const descriptors: Descriptor[] = [];
  while (reader.hasMore()) {
    const tag = reader.tag();
    if (tag === REQUEST.domain) domain = reader.string();
    else if (tag === REQUEST.descriptors) {
      if (descriptors.length === MAX_DESCRIPTORS) throw new TooMany(TOO_MANY_DESCRIPTORS);
      descriptors.push(readDescriptor(descriptors.length));
    } else if (tag === REQUEST.hitsAddend) hitsAddend = reader.uint32();
    else reader.skip(tag);
  }
  return { domain, descriptors, hitsAddend };
}

function readDescriptor(at: number): Descriptor {
  const entries: DescriptorEntry[] = [];
  let limit: LimitOverride | undefined;
  let hitsAddend: number | undefined;
  let isNegativeHits = false;
  const outer = reader.enter();
  while (reader.hasMore()) {
    const tag = reader.tag();
    if (tag === DESCRIPTOR.entries) {
      if (entries.length === MAX_ENTRIES) throw new TooMany(tooManyEntries(at));
      entries.push(readEntry());
    } else if (tag === DESCRIPTOR.limit) limit = readLimit(limit);
    else if (tag === DESCRIPTOR.hitsAddend) hitsAddend = readUInt64Value(hitsAddend);
    else if (tag === DESCRIPTOR.isNegativeHits) isNegativeHits = reader.varint() !== 0;
    else reader.skip(tag);
  }
  reader.leave(outer);
  return { entries, limit, hitsAddend, isNegativeHits };
}

function readEntry(): DescriptorEntry {
  let key = '';
  let value = '';
  const outer = reader.enter();
  while (reader.hasMore()) {
    const tag = reader.tag();
    if (tag === ENTRY.key) key = reader.string();
    else if (tag === ENTRY.value) value = reader.string();
    else reader.skip(tag);
  }
  reader.leave(outer);
  return { key, value };
}

/** @param before what an earlier piece of the same message said */
function readLimit(before: LimitOverride | undefined): LimitOverride {
  let requestsPerUnit = before?.requestsPerUnit ?? 0;
  let unit = before?.unit ?? 0;
  const outer = reader.enter();
  while (reader.hasMore()) {
    const tag = reader.tag();
    if (tag === LIMIT.requestsPerUnit) requestsPerUnit = reader.uint32();
    // An enum is an int32, and may be any.
    else if (tag === LIMIT.unit) unit = reader.uint32() | 0;
    else reader.skip(tag);
  }
  reader.leave(outer);
  return { requestsPerUnit, unit };
}

function readUInt64Value(before: number | undefined): number {
  let value = before ?? 0;
  const outer = reader.enter();
  while (reader.hasMore()) {
    const tag = reader.tag();
    if (tag === VALUE) value = reader.varint();
    else reader.skip(tag);
  }
  reader.leave(outer);
  return value;
}
