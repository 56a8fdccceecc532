/** One entry of a descriptor. */
export interface DescriptorEntry {
  readonly key: string;
  readonly value: string;
}

/** Units of an override (`type.v3.RateLimitUnit`); unlike {@link ResponseUnit} it has no week. */
export const OVERRIDE_UNITS = ['UNKNOWN', 'SECOND', 'MINUTE', 'HOUR', 'DAY', 'MONTH', 'YEAR'] as const;
/** Units of `RateLimitResponse.RateLimit`, by number. */
export const RESPONSE_UNITS = ['UNKNOWN', 'SECOND', 'MINUTE', 'HOUR', 'DAY', 'MONTH', 'YEAR', 'WEEK'] as const;
export type ResponseUnit = (typeof RESPONSE_UNITS)[number];

/** A limit that the caller names itself. */
export interface LimitOverride {
  /** uint32. */
  readonly requestsPerUnit: number;
  /** Number of the enum, as it came; what has no name in {@link OVERRIDE_UNITS} is refused by the service. */
  readonly unit: number;
}

/** `envoy.extensions.common.ratelimit.v3.RateLimitDescriptor`. */
export interface Descriptor {
  readonly entries: readonly DescriptorEntry[];
  readonly limit: LimitOverride | undefined;
  /** UInt64Value: absent is another thing than 0, which is a peek. More than 2^53-1 is read as that. */
  readonly hitsAddend: number | undefined;
  readonly isNegativeHits: boolean;
}

/** `envoy.service.ratelimit.v3.RateLimitRequest`. */
export interface RateLimitRequest {
  readonly domain: string;
  readonly descriptors: readonly Descriptor[];
  /** uint32; 0 where it is absent. */
  readonly hitsAddend: number;
}

/** `RateLimitResponse.Code`. */
export const CODE = { unknown: 0, ok: 1, overLimit: 2 } as const;
export type Code = (typeof CODE)[keyof typeof CODE];

/** `RateLimitResponse.RateLimit`. */
export interface CurrentLimit {
  readonly requestsPerUnit: number;
  readonly unit: ResponseUnit;
  readonly name: string;
}

/** `RateLimitResponse.DescriptorStatus`. */
export interface DescriptorStatus {
  readonly code: Code;
  readonly currentLimit: CurrentLimit | undefined;
  /** uint32. */
  readonly limitRemaining: number;
  /** Ms; `undefined` where there is no limit. */
  readonly durationUntilResetMs: number | undefined;
}

/** `envoy.config.core.v3.HeaderValue`. */
export interface HeaderValue {
  readonly key: string;
  readonly value: string;
}

/** `envoy.service.ratelimit.v3.RateLimitResponse`. */
export interface RateLimitResponse {
  readonly overallCode: Code;
  readonly statuses: readonly DescriptorStatus[];
  readonly responseHeadersToAdd: readonly HeaderValue[];
  readonly requestHeadersToAdd: readonly HeaderValue[];
  /** UTF-8; empty: none. */
  readonly rawBody: string;
}
