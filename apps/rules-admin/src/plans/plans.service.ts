import { Injectable } from '@nestjs/common';
import { type Plan, validatePlan } from '@sluice/rules';
import { isDeepStrictEqual } from 'node:util';
import type { Precondition } from '../conditional/precondition.js';
import { ConfigReader } from '../database/config-reader.js';
import { ConfigWriter } from '../database/config-writer.js';
import { PLANS, PROPOSALS, RULES, TENANTS } from '../database/tables.js';
import type { FieldsOf } from '../database/versioned-row.js';
import type { RemovalOutcome, WriteOutcome } from '../database/versioned-table.js';
import { invalid } from '../input/invalid.js';
import { type References, refuseWhileReferred } from '../input/refuse-while-referred.js';
import type { PlanBody } from './plan.dto.js';
import type { PlanRow } from './plan.entity.js';

/** Plans. */
@Injectable()
export class PlansService {
  constructor(
    private readonly reader: ConfigReader,
    private readonly writer: ConfigWriter,
  ) {}

  find(planId: string): Promise<PlanRow | null> {
    return PLANS.find(this.reader.manager, planId);
  }

  /** @throws ProblemException 400 for what `@sluice/rules` does not take */
  async put(planId: string, body: PlanBody, precondition: Precondition): Promise<WriteOutcome<PlanRow>> {
    const fields = planFields(validPlan(planId, body));
    const isSame = (row: PlanRow): boolean => row.name === fields.name && isDeepStrictEqual(row.defaultLimit, fields.defaultLimit);
    return this.writer.write((tx) => PLANS.put(tx, planId, { fields, precondition, isSame }));
  }

  /** @throws ProblemException 409 while tenants or rules are on the plan */
  remove(planId: string, precondition: Precondition): Promise<RemovalOutcome> {
    return this.writer.write((tx) =>
      PLANS.remove(tx, planId, {
        precondition,
        refuse: async () => {
          const refer = (references: Omit<References, 'id'>): Promise<void> => refuseWhileReferred(tx.manager, `Plan ${planId}`, { ...references, id: planId });
          await refer({ table: TENANTS, property: 'planId', plural: 'tenants', advice: 'Put them on another plan, or delete them, first.' });
          await refer({ table: RULES, property: 'plan', plural: 'rules', advice: 'Give them another plan, or delete them, first.' });
          await refer({ table: PROPOSALS, property: 'plan', plural: 'proposals of rules', advice: 'Promote or discard them first.' });
        },
      }),
    );
  }
}

/** @throws ProblemException 400 */
export function validPlan(planId: string, body: Omit<Plan, 'plan_id'> | PlanBody): Plan {
  const checked = validatePlan({ ...body, plan_id: planId });
  if (!checked.ok) throw invalid(checked.faults);
  return checked.value;
}

/** The columns of a validated plan. */
export function planFields({ name, default_limit }: Plan): FieldsOf<PlanRow> {
  return { name: name ?? null, defaultLimit: default_limit ?? null };
}
