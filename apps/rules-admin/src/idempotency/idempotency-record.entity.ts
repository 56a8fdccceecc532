import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The answer to a request with an `Idempotency-Key`, written in the transaction of its change (R52): one is never there without the other. */
@Entity('idempotency_record')
export class IdempotencyRecordRow {
  /** Whose key it is: two callers may choose the same. */
  @PrimaryColumn({ name: 'actor', type: 'text' })
  actor!: string;

  /** `POST /v1/overrides` */
  @PrimaryColumn({ name: 'route', type: 'text' })
  route!: string;

  @PrimaryColumn({ name: 'key', type: 'text' })
  key!: string;

  /** Tells another request under the same key, lower-case hex. */
  @Column({ name: 'request_sha256', type: 'text' })
  requestSha256!: string;

  @Column({ name: 'status', type: 'smallint' })
  status!: number;

  @Column({ name: 'headers', type: 'jsonb' })
  headers!: Readonly<Record<string, string>>;

  /** JSON text, so that a replay is the same to the byte. */
  @Column({ name: 'body', type: 'text' })
  body!: string;

  @Index('idempotency_record_expires_at')
  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;
}
