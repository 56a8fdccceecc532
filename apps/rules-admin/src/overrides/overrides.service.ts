import { Injectable } from '@nestjs/common';
import { type Override, validateOverride } from '@sluice/rules';
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { strongTag, versionTag } from '../conditional/entity-tag.js';
import { type Precondition, refusalOf } from '../conditional/precondition.js';
import { ConfigReader } from '../database/config-reader.js';
import type { ConfigTransaction } from '../database/config-transaction.js';
import { ConfigWriter } from '../database/config-writer.js';
import { OVERRIDES } from '../database/tables.js';
import type { RemovalOutcome, WriteOutcome } from '../database/versioned-table.js';
import type { SentAnswer } from '../idempotency/answer.js';
import { IdempotentWriter } from '../idempotency/idempotent-writer.js';
import type { Submission } from '../idempotency/submission.js';
import { invalid } from '../input/invalid.js';
import { notFound } from '../input/not-found.js';
import type { NewOverrideBody, OverridePatchBody } from './override.dto.js';
import { publishedOverride } from './override-json.js';
import type { OverrideRow } from './override.entity.js';
import { reviewOverride } from './review-override.js';

/** What a change came to, and what is odd about the override now. */
export interface OverrideChange {
  readonly outcome: WriteOutcome<OverrideRow>;
  readonly remarks: readonly string[];
}

/** Overrides: other limits of single keys, for a time (R50, R52). */
@Injectable()
export class OverridesService {
  constructor(
    private readonly reader: ConfigReader,
    private readonly writer: ConfigWriter,
    private readonly idempotent: IdempotentWriter,
  ) {}

  find(overrideId: string): Promise<OverrideRow | null> {
    return OVERRIDES.find(this.reader.manager, overrideId);
  }

  /**
   * Creates one, once for each submission. Several for the same rule and key may live side by side.
   *
   * @throws ProblemException 400 for an unknown key or rule, and an expiry that is over or too far ahead; 409 and 422 as {@link IdempotentWriter.write}
   */
  async create({ reason, ...fields }: NewOverrideBody, submission: Submission): Promise<SentAnswer> {
    const override = wellFormed({ ...fields, override_id: newOverrideId() });
    return this.idempotent.write(submission, async (tx) => {
      const remarks = await publishable(tx, override, true);
      const row = await OVERRIDES.insert(tx, override.override_id, { ruleId: override.rule_id, keyId: override.key_id, ...limitsOf(override), reason: reason ?? null });
      return {
        status: 201,
        headers: { etag: strongTag(versionTag(row.version)), location: `/v1/overrides/${row.id}` },
        body: { override_id: row.id, version: row.version, ...(remarks.length === 0 ? {} : { warnings: remarks }) },
      };
    });
  }

  /** @throws ProblemException 404, 400 as {@link create} */
  patch(overrideId: string, body: OverridePatchBody, precondition: Precondition): Promise<OverrideChange> {
    return this.writer.write(async (tx): Promise<OverrideChange> => {
      const row = await OVERRIDES.find(tx.manager, overrideId);
      if (row === null) throw notFound(`Override ${overrideId}`);
      const refusal = refusalOf(precondition, row.version);
      if (refusal !== undefined) return { outcome: { status: 'refused', refusal }, remarks: [] };
      const before = publishedOverride(row);
      const override = wellFormed(patched(before, body));
      const fields = { ...limitsOf(override), reason: body.reason === undefined ? row.reason : body.reason };
      if (isDeepStrictEqual(fields, { limit: row.limit, burst: row.burst, expiresAt: row.expiresAt, reason: row.reason })) return { outcome: { status: 'unchanged', row }, remarks: [] };
      const remarks = await publishable(tx, override, fields.expiresAt.getTime() !== row.expiresAt.getTime());
      return { outcome: { status: 'updated', row: await OVERRIDES.update(tx, row, fields) }, remarks };
    });
  }

  remove(overrideId: string, precondition: Precondition): Promise<RemovalOutcome> {
    return this.writer.write((tx) => OVERRIDES.remove(tx, overrideId, { precondition }));
  }
}

/** @throws ProblemException 400 for what `@sluice/rules` does not take */
function wellFormed(override: object): Override {
  const checked = validateOverride(override);
  if (!checked.ok) throw invalid(checked.faults);
  return checked.value;
}

/** @throws ProblemException 400 @returns what is odd about it */
async function publishable({ manager }: ConfigTransaction, override: Override, isExpiryNew: boolean): Promise<readonly string[]> {
  const { faults, remarks } = await reviewOverride(manager, override, isExpiryNew);
  if (faults.length > 0) throw invalid(faults);
  return remarks;
}

function patched({ burst, ...before }: Override, { limit, burst: newBurst, expires_at }: OverridePatchBody): object {
  const wanted = newBurst === undefined ? burst : newBurst;
  return {
    ...before,
    ...(limit === undefined ? {} : { limit }),
    ...(wanted === undefined || wanted === null ? {} : { burst: wanted }),
    ...(expires_at === undefined ? {} : { expires_at }),
  };
}

function limitsOf({ limit, burst, expires_at }: Override): Pick<OverrideRow, 'limit' | 'burst' | 'expiresAt'> {
  return { limit, burst: burst ?? null, expiresAt: new Date(expires_at) };
}

function newOverrideId(): string {
  return `ovr_${randomBytes(12).toString('hex')}`;
}
