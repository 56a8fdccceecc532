import { type Override, type Plan, type Rule, type Snapshot } from '@sluice/rules';
import { Client } from 'pg';

interface Entry {
  readonly version: number;
  readonly kind: string;
  readonly id: string;
  readonly after: object | null;
}

/** What the log says was in force at each version that reached nodes: the log alone, from its first version on (R60). */
export async function replayChangeLog(databaseUrl: string): Promise<ReadonlyMap<number, Snapshot>> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: versions } = await client.query<{ version: string }>('SELECT version FROM config_change WHERE reaches_nodes ORDER BY version');
    const { rows } = await client.query<Omit<Entry, 'version'> & { version: string }>('SELECT version, kind, id, after FROM audit_entry ORDER BY version, ordinal');
    return replay(versions.map(({ version }) => Number(version)), rows.map((row) => ({ ...row, version: Number(row.version) })));
  } finally {
    await client.end();
  }
}

function replay(versions: readonly number[], entries: readonly Entry[]): ReadonlyMap<number, Snapshot> {
  const state = { plan: new Map<string, object>(), rule: new Map<string, object>(), override: new Map<string, object>() };
  const snapshots = new Map<number, Snapshot>();
  let at = 0;
  for (const version of versions) {
    for (let entry = entries[at]; entry !== undefined && entry.version <= version; entry = entries[at]) {
      const { kind, id, after } = entry;
      at += 1;
      if (kind !== 'plan' && kind !== 'rule' && kind !== 'override') continue;
      if (after === null) state[kind].delete(id);
      else state[kind].set(id, after);
    }
    snapshots.set(version, {
      version,
      plans: [...state.plan.values()] as Plan[],
      rules: [...state.rule.values()] as Rule[],
      overrides: [...state.override.values()].map((override) => published(override as Override & { readonly reason?: string; readonly version: number })),
    });
  }
  return snapshots;
}

/** The log keeps more of an override than nodes are told. */
function published({ reason: _reason, version: _version, ...override }: Override & { readonly reason?: string; readonly version: number }): Override {
  return override;
}
