/** One limit of an answer. Seconds are whole, rounded up. */
export interface PolicyAnswer {
  readonly policy: string;
  readonly rule_id: string;
  readonly rule_version: number;
  readonly limit: number;
  readonly window_seconds: number;
  readonly override_id?: string;
  readonly allowed: boolean;
  readonly reason: string;
  /** Permits left; a hint of this node where the rule leases (R70). */
  readonly remaining: number;
  readonly reset_after_seconds: number;
  /** Where this limit refuses and waiting helps. */
  readonly retry_after_seconds?: number;
  readonly source: string;
}

/** Answer of `POST /v1/ratelimit:check`. The camelCase names are Envoy's; absent where no rule matched. */
export interface CheckAnswer {
  readonly overallCode: 'OK' | 'OVER_LIMIT';
  readonly limitRemaining?: number;
  readonly resetAfterSeconds?: number;
  readonly allowed: boolean;
  readonly reason: string;
  readonly rule_id?: string;
  readonly rule_version?: number;
  readonly policy?: string;
  readonly limit?: number;
  /** Absent when allowed, and when no waiting helps. */
  readonly retry_after_seconds?: number;
  /** Shaper: hold the request back this long, ms; 0 otherwise. */
  readonly delay_ms: number;
  readonly cost: number;
  readonly source: string;
  readonly snapshot_version: number;
  /** ISO 8601, by the store's clock. */
  readonly checked_at: string;
  /** Of a reservation that was charged: whoever knows it may settle, so it goes into no log (R14). */
  readonly decision_id?: string;
  /** ISO 8601, by the store's clock: until then at least it can be settled. */
  readonly decision_expires_at?: string;
  readonly policies: readonly PolicyAnswer[];
  readonly shadow: readonly PolicyAnswer[];
}

/** Answer of `POST /v1/ratelimit:batch`, one to one with the checks. */
export interface BatchAnswer {
  readonly answers: readonly CheckAnswer[];
}
