import { Injectable } from '@nestjs/common';
import type { Precondition } from '../conditional/precondition.js';
import { ConfigReader } from '../database/config-reader.js';
import { ConfigWriter } from '../database/config-writer.js';
import { ADMIN_TOKENS, KEYS, PLANS, TENANTS } from '../database/tables.js';
import type { RemovalOutcome, WriteOutcome } from '../database/versioned-table.js';
import { invalid } from '../input/invalid.js';
import { refuseWhileReferred } from '../input/refuse-while-referred.js';
import type { TenantBody } from './tenant.dto.js';
import type { TenantRow } from './tenant.entity.js';

/** Tenants. */
@Injectable()
export class TenantsService {
  constructor(
    private readonly reader: ConfigReader,
    private readonly writer: ConfigWriter,
  ) {}

  find(tenantId: string): Promise<TenantRow | null> {
    return TENANTS.find(this.reader.manager, tenantId);
  }

  /** @throws ProblemException 400 for an unknown plan */
  put(tenantId: string, { name, plan_id }: TenantBody, precondition: Precondition): Promise<WriteOutcome<TenantRow>> {
    return this.writer.write(async (tx) => {
      if ((await PLANS.find(tx.manager, plan_id)) === null) throw invalid([{ pointer: '/plan_id', detail: `names the unknown plan ${plan_id}` }]);
      return TENANTS.put(tx, tenantId, {
        fields: { name, planId: plan_id },
        precondition,
        isSame: (row) => row.name === name && row.planId === plan_id,
        // Gateways have cached which plan the tenant's keys are on.
        reach: (row) => (row.planId === plan_id ? 'lists' : 'nodes'),
      });
    });
  }

  /** @throws ProblemException 409 while the tenant has keys or tokens */
  remove(tenantId: string, precondition: Precondition): Promise<RemovalOutcome> {
    return this.writer.write((tx) =>
      TENANTS.remove(tx, tenantId, {
        precondition,
        refuse: async () => {
          await refuseWhileReferred(tx.manager, `Tenant ${tenantId}`, { table: KEYS, property: 'tenantId', id: tenantId, plural: 'keys', advice: 'Delete them first.' });
          // Another tenant may get the id one day, and they would show its decisions.
          await refuseWhileReferred(tx.manager, `Tenant ${tenantId}`, { table: ADMIN_TOKENS, property: 'tenantId', id: tenantId, plural: 'tokens', advice: 'Revoke them first (DELETE /v1/tokens/{name}, an admin).' });
        },
      }),
    );
  }
}
