import fc from 'fast-check';
import { shouldRateLimitDefinition } from '../../test/load-proto.js';
import { type Descriptor, type RateLimitRequest, type RateLimitResponse, RESPONSE_UNITS } from '../messages.js';
import { decodeRateLimitRequest } from './decode-request.js';
import { encodeRateLimitResponse } from './encode-response.js';

const { requestSerialize, responseDeserialize } = shouldRateLimitDefinition();

const text = fc.oneof(fc.string({ maxLength: 20 }), fc.string({ unit: 'binary', maxLength: 60 }), fc.constantFrom('', 'key_id', 'é', '€uro', '🦀', 'x'.repeat(200)));
const uint32 = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 0xffff_ffff }), fc.constantFrom(0, 127, 128, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff));
const uint64 = fc.oneof(uint32, fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), fc.constant(Number.MAX_SAFE_INTEGER));
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });

const descriptor: fc.Arbitrary<Descriptor> = fc.record({
  entries: fc.array(fc.record({ key: text, value: text }), { maxLength: 4 }),
  limit: maybe(fc.record({ requestsPerUnit: uint32, unit: fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 7, 99, -1) })),
  hitsAddend: maybe(uint64),
  isNegativeHits: fc.boolean(),
});
const request: fc.Arbitrary<RateLimitRequest> = fc.record({ domain: text, descriptors: fc.array(descriptor, { maxLength: 4 }), hitsAddend: uint32 });

/** As protobufjs wants it. */
function toProto({ domain, descriptors, hitsAddend }: RateLimitRequest): object {
  return {
    domain,
    hits_addend: hitsAddend,
    descriptors: descriptors.map(({ entries, limit, hitsAddend: own, isNegativeHits }) => ({
      entries,
      is_negative_hits: isNegativeHits,
      ...(limit !== undefined && { limit: { requests_per_unit: limit.requestsPerUnit, unit: limit.unit } }),
      ...(own !== undefined && { hits_addend: { value: own } }),
    })),
  };
}

const field = (number: number, type: number): number => number * 8 + type;
const nested = (number: number, ...parts: (Buffer | number[])[]): Buffer => {
  const inner = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([Buffer.from([field(number, 2), inner.length]), inner]);
};

/** Fields that nobody here knows, one of each wire type. */
const UNKNOWN = Buffer.concat([
  Buffer.from([field(9, 0), 0xff, 0xff, 0x03]),
  Buffer.from([field(10, 1), 1, 2, 3, 4, 5, 6, 7, 8]),
  nested(11, [1, 2, 3]),
  Buffer.from([field(12, 5), 1, 2, 3, 4]),
  Buffer.from([field(13, 3), field(1, 0), 5, field(2, 3), field(2, 4), field(13, 4)]),
  // Known numbers of another type are unknown fields.
  Buffer.from([field(1, 0), 7]),
  Buffer.from([field(3, 5), 1, 1, 1, 1]),
]);

describe('R73 the codec reads and writes what protobufjs does', () => {
  it('requests of any content', () => {
    fc.assert(
      fc.property(request, (sent) => {
        expect(decodeRateLimitRequest(requestSerialize(toProto(sent)))).toEqual(sent);
      }),
      { numRuns: 1_500, seed: 73 },
    );
  });

  it('responses of any content, behind the room for the frame', () => {
    const header = fc.array(fc.record({ key: text, value: text }), { maxLength: 3 });
    const status = fc.record({
      code: fc.constantFrom(0 as const, 1 as const, 2 as const),
      currentLimit: maybe(fc.record({ requestsPerUnit: uint32, unit: fc.constantFrom(...RESPONSE_UNITS), name: text })),
      limitRemaining: uint32,
      durationUntilResetMs: maybe(fc.integer({ min: 0, max: 400 * 86_400_000 })),
    });
    const response: fc.Arbitrary<RateLimitResponse> = fc.record({
      overallCode: fc.constantFrom(1 as const, 2 as const),
      statuses: fc.array(status, { maxLength: 40 }),
      responseHeadersToAdd: header,
      requestHeadersToAdd: header,
      rawBody: fc.oneof(text, fc.constantFrom('x'.repeat(20_000), '€'.repeat(9_000))),
    });
    const present = (entries: object): object => Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== 0 && value !== '' && value !== undefined));
    fc.assert(
      fc.property(response, (sent) => {
        const written = encodeRateLimitResponse(sent, 5);
        const headers = (list: typeof sent.responseHeadersToAdd): object[] => list.map(({ key, value }) => present({ key, value }));
        const read = JSON.parse(JSON.stringify(responseDeserialize(written.subarray(5)))) as { raw_body?: { data: number[] } };
        expect(Buffer.from(read.raw_body?.data ?? []).toString()).toBe(sent.rawBody);
        expect({ ...read, raw_body: undefined }).toEqual({
          overall_code: sent.overallCode,
          statuses: sent.statuses.map(({ code, currentLimit, limitRemaining, durationUntilResetMs: ms }) => ({
            ...present({ code, limit_remaining: limitRemaining }),
            ...(currentLimit !== undefined && {
              current_limit: present({ requests_per_unit: currentLimit.requestsPerUnit, unit: RESPONSE_UNITS.indexOf(currentLimit.unit), name: currentLimit.name }),
            }),
            ...(ms !== undefined && { duration_until_reset: present({ seconds: Math.floor(ms / 1_000), nanos: (ms % 1_000) * 1_000_000 }) }),
          })),
          response_headers_to_add: headers(sent.responseHeadersToAdd),
          request_headers_to_add: headers(sent.requestHeadersToAdd),
        });
      }),
      { numRuns: 800, seed: 73 },
    );
  });
});

describe('R73 requests that no proper client sends', () => {
  const entry = nested(1, nested(1, [...Buffer.from('k')]), nested(2, [...Buffer.from('v')]));
  const decoded = (...parts: Buffer[]): unknown => decodeRateLimitRequest(Buffer.concat(parts));
  const only = (...inDescriptor: (Buffer | number[])[]): unknown => (decoded(nested(2, ...inDescriptor)) as RateLimitRequest).descriptors[0];
  const fault = (message: string): unknown => ({ code: 13, message: `not a RateLimitRequest: ${message}` });

  it('skips unknown fields wherever they are', () => {
    const clean = decoded(nested(1, Buffer.from('api')), nested(2, entry));
    expect(clean).toEqual({ domain: 'api', descriptors: [{ entries: [{ key: 'k', value: 'v' }], limit: undefined, hitsAddend: undefined, isNegativeHits: false }], hitsAddend: 0 });
    expect(decoded(UNKNOWN, nested(1, Buffer.from('api')), UNKNOWN, nested(2, UNKNOWN, entry, UNKNOWN), UNKNOWN)).toEqual(clean);
  });

  it('takes the last of a scalar, and merges messages that come in pieces', () => {
    expect(decoded(nested(1, Buffer.from('a')), nested(1, Buffer.from('b')), Buffer.from([field(3, 0), 4, field(3, 0), 5]))).toEqual({ domain: 'b', descriptors: [], hitsAddend: 5 });
    expect(only(nested(2, [field(1, 0), 7]), nested(2, [field(2, 0), 3]))).toMatchObject({ limit: { requestsPerUnit: 7, unit: 3 } });
    expect(only(nested(3, [field(1, 0), 9]), nested(3))).toMatchObject({ hitsAddend: 9 });
  });

  it('keeps an addend of 0 apart from none, and caps one above 2^53-1', () => {
    expect(only(nested(3))).toMatchObject({ hitsAddend: 0 });
    expect(only(entry)).toMatchObject({ hitsAddend: undefined });
    const largest = [field(1, 0), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    expect(only(nested(3, largest))).toMatchObject({ hitsAddend: Number.MAX_SAFE_INTEGER });
  });

  it('reads a number that is written too long, and the low 32 bits of one that is too large', () => {
    expect(decoded(Buffer.from([field(3, 0), 0x85, 0x80, 0x80, 0x00]))).toMatchObject({ hitsAddend: 5 });
    expect(decoded(Buffer.from([field(3, 0), 0x81, 0x80, 0x80, 0x80, 0x10]))).toMatchObject({ hitsAddend: 1 });
    expect(only([field(4, 0), 0x80, 0x02])).toMatchObject({ isNegativeHits: true });
  });

  it('R11 takes what is not UTF-8 for what it is: refused it would pass by Envoy, and two keys must not become one', () => {
    for (const bad of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0x61, 0x80]]) {
      expect(decoded(nested(1, Buffer.from(bad)))).toMatchObject({ domain: `\ufffd${String.fromCharCode(...bad)}` });
    }
    expect(decoded(nested(1, Buffer.from('é€🦀\0')))).toMatchObject({ domain: 'é€🦀\0' });
  });

  it.each<[string, number[]]>([
    ['truncated', [field(1, 2), 5, 0x61]],
    ['truncated', [field(1, 2), 0xff, 0xff, 0xff, 0xff, 0x7f]],
    ['truncated', [field(1, 2)]],
    ['truncated', [0x80]],
    ['truncated', [field(3, 0), 0x80]],
    ['truncated', [field(9, 1), 1, 2, 3]],
    ['truncated', [field(9, 5), 1]],
    ['truncated', [field(13, 3), field(1, 0), 1]],
    // Within its descriptor, not within the message.
    ['truncated', [field(2, 2), 2, field(1, 2), 4, 0, 0, 0, 0]],
    ['a number of more than 10 bytes', [field(3, 0), ...Array<number>(10).fill(0x80), 1]],
    ['a number of more than 10 bytes', [field(9, 0), ...Array<number>(10).fill(0x80), 1]],
    ['no such field number', [0x00, 0x01]],
    ['no such field number', [0x80, 0x80, 0x80, 0x80, 0x80, 0x01]],
    ['a group that ends as another one', [field(13, 3), field(12, 4)]],
    ['a wire type that means nothing here', [field(13, 4)]],
    ['a wire type that means nothing here', [field(5, 6)]],
    ['a wire type that means nothing here', [field(5, 7)]],
    ['groups that are nested too deep', Array<number>(40).fill(field(13, 3))],
  ])('answers INTERNAL: %s (%j)', (why, sent) => {
    expect(decodeRateLimitRequest(Buffer.from(sent))).toEqual(fault(why));
  });

  it('never throws and never reads beyond the end, whatever comes', () => {
    const whole = requestSerialize(toProto({ domain: 'api', descriptors: [{ entries: [{ key: 'é', value: 'v' }], limit: { requestsPerUnit: 300, unit: 2 }, hitsAddend: 300, isNegativeHits: true }], hitsAddend: 1 }));
    for (let length = 0; length < whole.length; length += 1) expect(() => decodeRateLimitRequest(whole.subarray(0, length))).not.toThrow();
    const flips = fc.array(fc.tuple(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 })), { maxLength: 4 });
    fc.assert(
      fc.property(flips, fc.uint8Array({ maxLength: 30 }), (changed, tail) => {
        const bytes = Buffer.concat([whole, tail]);
        for (const [at, value] of changed) bytes[at] = value;
        decodeRateLimitRequest(bytes);
      }),
      { numRuns: 5_000, seed: 11 },
    );
  });

  it('writes the largest uint32 for what is larger, and rounds the time until reset up', () => {
    const written = encodeRateLimitResponse({
      overallCode: 1,
      statuses: [{ code: 1, currentLimit: { requestsPerUnit: 2 ** 53 - 1, unit: 'WEEK', name: '' }, limitRemaining: 2 ** 40, durationUntilResetMs: 1_499.2 }],
      responseHeadersToAdd: [],
      requestHeadersToAdd: [],
      rawBody: '',
    });
    expect(responseDeserialize(written)).toMatchObject({
      statuses: [{ current_limit: { requests_per_unit: 0xffff_ffff, unit: 7 }, limit_remaining: 0xffff_ffff, duration_until_reset: { seconds: 1, nanos: 500_000_000 } }],
    });
  });
});

describe('R73 a request of too much is told so as soon as it is seen', () => {
  const EMPTY_DESCRIPTOR = Buffer.from([field(2, 2), 0]);
  const EMPTY_ENTRY = Buffer.from([field(1, 2), 0]);
  const MOST_BYTES = 4_194_304;
  /** `RateLimitRequest.descriptors`, one with these entries. */
  const withEntries = (entries: Buffer): Buffer => {
    const length = [];
    for (let rest = entries.length; ; rest >>>= 7) {
      length.push(rest > 127 ? (rest & 127) | 128 : rest);
      if (rest <= 127) break;
    }
    return Buffer.concat([Buffer.from([field(2, 2), ...length]), entries]);
  };

  it.each([
    ['descriptors', Buffer.alloc(MOST_BYTES, EMPTY_DESCRIPTOR), 'descriptors must have at most 64 entries'],
    ['entries', Buffer.concat([EMPTY_DESCRIPTOR, withEntries(Buffer.alloc(MOST_BYTES - 16, EMPTY_ENTRY))]), 'descriptors[1].entries must have at most 32 entries'],
  ])('2 million %s', (_what, message, text) => {
    decodeRateLimitRequest(EMPTY_DESCRIPTOR);
    const startedMs = performance.now();
    expect(decodeRateLimitRequest(message)).toEqual({ code: 3, message: text });
    expect(performance.now() - startedMs).toBeLessThan(20);
  });

  it('64 descriptors of 32 entries are not too much', () => {
    const decoded = decodeRateLimitRequest(Buffer.concat(Array.from({ length: 64 }, () => withEntries(Buffer.alloc(64, EMPTY_ENTRY)))));
    expect('descriptors' in decoded && decoded.descriptors.map(({ entries }) => entries.length)).toEqual(Array.from({ length: 64 }, () => 32));
  });
});
