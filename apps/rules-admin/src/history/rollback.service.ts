import { Injectable } from '@nestjs/common';
import { ProblemException } from '@sluice/platform';
import type { Precondition } from '../conditional/precondition.js';
import { ConfigWriter } from '../database/config-writer.js';
import { invalid } from '../input/invalid.js';
import { notFound } from '../input/not-found.js';
import { publishableRule } from '../rules/publishable-rule.js';
import { putRule, type RuleWrite } from '../rules/put-rule.js';
import { HistoryService } from './history.service.js';

/** Rules, taken back to what they were (R60). */
@Injectable()
export class RollbackService {
  constructor(
    private readonly history: HistoryService,
    private readonly writer: ConfigWriter,
  ) {}

  /**
   * Publishes the content of an earlier version as a new one, checked and reviewed as any write is: history goes on, and what was fine then may not be now.
   *
   * @throws ProblemException 404 for a version that the log does not have, 400 when it may not be published any more, 409 for a rule that another one matches exactly
   */
  async rollBack(ruleId: string, version: number, precondition: Precondition): Promise<RuleWrite> {
    // What the log has never changes, so that it can be read before the lock.
    const content = await this.history.atVersion('rule', ruleId, version);
    if (content === undefined) throw notFound(`Version ${version} of rule ${ruleId}`);
    return sayingWhichVersion(version, () => {
      const rule = publishableRule(ruleId, content);
      return this.writer.write((tx) => {
        tx.annotate(`rolled back to version ${version}`);
        return putRule(tx, rule, precondition);
      });
    });
  }
}

/** What is wrong is in the version, and not in the body that names it. */
async function sayingWhichVersion<T>(version: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProblemException) || error.problem.status !== 400) throw error;
    const faults = error.problem.errors ?? [];
    throw invalid(faults.map(({ pointer, detail }) => ({ pointer: '/version', detail: `version ${version} cannot be published now: ${pointer} ${detail}` })));
  }
}
