import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RulesAdminConfig } from '../config.js';
import type { ConfigTransaction } from '../database/config-transaction.js';
import { ConfigWriter } from '../database/config-writer.js';
import { tryLock } from '../database/try-lock.js';
import { CONFIG } from '../tokens.js';
import type { Answer, SentAnswer } from './answer.js';
import { keyReused, stillRunning } from './idempotency-problems.js';
import { IdempotencyRecordRow } from './idempotency-record.entity.js';
import type { Submission } from './submission.js';

/** How long an answer is kept, unless configured: what Stripe keeps them for, and longer than clients repeat. */
export const IDEMPOTENCY_TTL_MS = 24 * 60 * 60 * 1000;

/**
 * Carries a submission out once (R52, ADR 0018). Its answer is recorded in the transaction of its change, so that no crash can part the two. An advisory
 * lock on the key, held to the end of that transaction, tells a second submission anywhere that the first one is still running.
 */
@Injectable()
export class IdempotentWriter {
  private readonly ttlMs: number;

  constructor(
    private readonly writer: ConfigWriter,
    @Inject(CONFIG) config: RulesAdminConfig,
  ) {
    this.ttlMs = config.idempotencyTtlMs ?? IDEMPOTENCY_TTL_MS;
  }

  /**
   * Runs `work` as {@link ConfigWriter.write} does, or gives the answer of the first time. What `work` throws is not recorded: nothing was changed, and the
   * request may be corrected and sent again under its key.
   *
   * @param submission undefined runs `work` each time
   * @throws ProblemException 409 while the first one is running, 422 when the first one said something else
   */
  write(submission: Submission | undefined, work: (tx: ConfigTransaction) => Promise<Answer>): Promise<SentAnswer> {
    if (submission === undefined) return this.writer.write(async (tx) => sent(await work(tx)));
    return this.writer.write(
      async (tx) => {
        const answer = sent(await work(tx));
        await this.record(tx.manager, submission, answer);
        return answer;
      },
      { before: (manager) => earlierAnswer(manager, submission) },
    );
  }

  private async record(manager: EntityManager, { actor, route, key, requestSha256 }: Submission, { status, headers, body }: SentAnswer): Promise<void> {
    // An expired record of the same key may still be there.
    await manager.query(
      `INSERT INTO idempotency_record (actor, route, key, request_sha256, status, headers, body, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, clock_timestamp() + $8 * interval '1 millisecond')
       ON CONFLICT (actor, route, key) DO UPDATE SET
         request_sha256 = excluded.request_sha256, status = excluded.status, headers = excluded.headers, body = excluded.body, expires_at = excluded.expires_at`,
      [actor, route, key, requestSha256, status, JSON.stringify(headers), body, this.ttlMs],
    );
  }
}

/** The answer of the first time. Holds the key's lock until the transaction ends. */
async function earlierAnswer(manager: EntityManager, { actor, route, key, requestSha256 }: Submission): Promise<SentAnswer | undefined> {
  if (!(await tryLock(manager, JSON.stringify(['idempotency', actor, route, key])))) throw stillRunning();
  // After the lock, in a statement of its own: under READ COMMITTED it sees what the holder before committed.
  const record = await manager
    .createQueryBuilder(IdempotencyRecordRow, 'record')
    .where({ actor, route, key })
    .andWhere('record.expiresAt > clock_timestamp()')
    .getOne();
  if (record === null) return undefined;
  if (record.requestSha256 !== requestSha256) throw keyReused();
  const { status, headers, body } = record;
  return { status, headers, body, replayed: true };
}

function sent({ status, headers, body }: Answer): SentAnswer {
  return { status, headers, body: JSON.stringify(body), replayed: false };
}
