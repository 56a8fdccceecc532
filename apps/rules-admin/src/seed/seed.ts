import type { Plan, Rule } from '@sluice/rules';

/** A key whose secret is known beforehand; only for demonstrations. */
export interface SeedKey {
  readonly key_id: string;
  readonly tenant_id: string;
  readonly name: string;
  readonly secret: string;
}

/** What a new database should hold. */
export interface Seed {
  readonly plans: readonly Omit<Plan, 'version'>[];
  readonly tenants: readonly { readonly tenant_id: string; readonly name: string; readonly plan_id: string }[];
  readonly keys: readonly SeedKey[];
  readonly rules: readonly Omit<Rule, 'version'>[];
}

/** How many of the seed were not there and are now. */
export interface Seeded {
  readonly plans: number;
  readonly tenants: number;
  readonly keys: number;
  readonly rules: number;
}
