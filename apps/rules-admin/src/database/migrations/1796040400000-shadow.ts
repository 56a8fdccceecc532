import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Proposed versions of rules, and what rules in shadow would have refused (R58). Counts are no configuration: they take no version and are in no log. Only
 * additions: processes of the version before go on beside it, and do not publish proposals.
 */
export class Shadow1796040400000 implements MigrationInterface {
  name = 'Shadow1796040400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE proposal (
        rule_id text COLLATE "C" NOT NULL CONSTRAINT proposal_pkey PRIMARY KEY,
        plan text COLLATE "C" CONSTRAINT proposal_plan_fkey REFERENCES plan (plan_id),
        endpoint text,
        definition jsonb NOT NULL CONSTRAINT proposal_limit_is_positive CHECK ((definition ->> 'limit')::numeric >= 1),
        base_version bigint NOT NULL,
        version bigint NOT NULL,
        changed_at_version bigint NOT NULL
      )`);
    await runner.query(`CREATE INDEX proposal_plan ON proposal (plan)`);
    await runner.query(`CREATE INDEX proposal_changed_at_version ON proposal (changed_at_version)`);
    await runner.query(`
      CREATE TABLE shadow_count (
        rule_id text COLLATE "C" NOT NULL,
        rule_version bigint NOT NULL,
        starts_at timestamptz NOT NULL,
        key text COLLATE "C" NOT NULL,
        node_id text COLLATE "C" NOT NULL,
        allowed bigint NOT NULL,
        denied bigint NOT NULL,
        unknown bigint NOT NULL,
        CONSTRAINT shadow_count_pkey PRIMARY KEY (rule_id, rule_version, starts_at, key, node_id)
      )`);
    await runner.query(`CREATE INDEX shadow_count_starts_at ON shadow_count (starts_at)`);
    await runner.query(`
      CREATE TABLE shadow_node (
        node_id text COLLATE "C" NOT NULL CONSTRAINT shadow_node_pkey PRIMARY KEY,
        complete_until timestamptz NOT NULL,
        seen_at timestamptz NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['shadow_node', 'shadow_count', 'proposal']) await runner.query(`DROP TABLE ${table}`);
    await runner.query(`DELETE FROM tombstone WHERE kind = 'proposal'`);
  }
}
