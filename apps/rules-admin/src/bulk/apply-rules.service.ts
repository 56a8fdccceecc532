import { Injectable } from '@nestjs/common';
import { type FieldFault, invalidRequest, ProblemException } from '@sluice/platform';
import { inSlices } from '@sluice/rules';
import { ConfigReader } from '../database/config-reader.js';
import type { ConfigTransaction } from '../database/config-transaction.js';
import { ConfigWriter } from '../database/config-writer.js';
import type { Answer, SentAnswer } from '../idempotency/answer.js';
import { IdempotentWriter } from '../idempotency/idempotent-writer.js';
import type { Submission } from '../idempotency/submission.js';
import type { RuleWarning } from '../rules/review-write.js';
import { unknownPlan } from '../rules/unknown-plan.js';
import type { ApplyRequest } from './apply-request.js';
import { changesJson } from './changes-json.js';
import { type NamedPlan, readRuleSet } from './rule-set.js';
import { reviewSet } from './review-set.js';
import { rulesChanged } from './rules-changed.js';
import { type SetDifference, setDifference } from './set-difference.js';
import { planIds, rulesChangedAt, storedRules } from './stored-rules.js';
import { writeDifference } from './write-difference.js';

/** Faults that an answer names; thousands of rules can have one each. */
const MAX_FAULTS = 100;

interface Prepared {
  readonly plans: readonly NamedPlan[];
  readonly warnings: readonly RuleWarning[];
  readonly difference: SetDifference;
  /** Global version of the last change of a rule, as the difference knows them. */
  readonly comparedAt: number;
}

/** Whole sets of rules, in one version or not at all. */
@Injectable()
export class ApplyRulesService {
  constructor(
    private readonly reader: ConfigReader,
    private readonly writer: ConfigWriter,
    private readonly idempotent: IdempotentWriter,
  ) {}

  /**
   * All that takes time comes before the write lock: the check of each rule, the review of all, the comparison with what is there. It holds under the lock if no
   * rule was changed meanwhile, which is the precondition anyway.
   *
   * @throws ProblemException 400 with pointers into the body, 409 when something stands in the way, 412 when a rule was changed after the base version
   */
  async apply({ baseVersion, rules, isDryRun }: ApplyRequest, submission: Submission | undefined): Promise<SentAnswer> {
    const read = await inSlices(readRuleSet(rules));
    const { faults, warnings } = await inSlices(reviewSet(read.rules));
    const all = [...read.faults, ...faults.map((fault) => inBody(fault, read.places))];
    // With the plans, so that they are not hidden behind what is wrong elsewhere.
    if (all.length > 0) refuse([...all, ...unknownPlans(read.plans, await planIds(this.reader.manager))]);
    const stored = await this.reader.consistently((manager) => storedRules(manager));
    const prepared = { plans: read.plans, warnings, difference: await inSlices(setDifference(stored.rules, read.rules)), comparedAt: stored.changedAt };
    if (!isDryRun) return this.idempotent.write(submission, (tx) => carryOut(tx, baseVersion, prepared));
    const answer = await this.writer.rehearse((tx) => carryOut(tx, baseVersion, prepared, { isDryRun }));
    return { ...answer, body: JSON.stringify(answer.body), replayed: false };
  }
}

async function carryOut(tx: ConfigTransaction, base: number, { plans, warnings, difference, comparedAt }: Prepared, { isDryRun = false } = {}): Promise<Answer> {
  const versionBefore = tx.version;
  const changedAt = await rulesChangedAt(tx.manager);
  if (base > versionBefore || changedAt > base || changedAt !== comparedAt) throw rulesChanged(base, versionBefore);
  refuse(unknownPlans(plans, await planIds(tx.manager)));
  tx.annotate('applied as a set');
  await writeDifference(tx, difference);
  return { status: 200, headers: {}, body: { dry_run: isDryRun, version: isDryRun ? versionBefore : tx.version, ...changesJson(tx.recorded), unchanged: difference.unchanged, warnings } };
}

/** `/rules/2` of the rules that were read, in the body. */
function inBody({ pointer, detail }: FieldFault, places: readonly number[]): FieldFault {
  return { pointer: pointer.replace(/^\/rules\/(\d+)/, (_match, index: string) => `/rules/${places[Number(index)] ?? index}`), detail };
}

function unknownPlans(named: readonly NamedPlan[], ids: ReadonlySet<string>): readonly FieldFault[] {
  return named.flatMap(({ pointer, plan }) => (ids.has(plan) ? [] : [unknownPlan(plan, pointer)]));
}

function refuse(faults: readonly FieldFault[]): void {
  if (faults.length === 0) return;
  const more = faults.length - MAX_FAULTS;
  throw new ProblemException(invalidRequest(faults.slice(0, MAX_FAULTS), more > 0 ? `The rules are not valid; see errors, and ${more} more.` : undefined));
}
