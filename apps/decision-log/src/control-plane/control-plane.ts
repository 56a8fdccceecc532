import { replacedRuleId } from '@sluice/rules';
import type { AdminApi } from './admin-api.js';
import { BoundedCache } from './bounded-cache.js';
import { type InForce, readInForce } from './in-force.js';
import { type LogEntry, readLogEntries } from './log-entry.js';
import { planOf, readRuleText, type RuleText } from './rule-text.js';

/** Versions never change, but after a database was restored from a backup they may be given out again with another meaning. */
const KEPT_MS = 10 * 60_000;
const MOST_KEPT = 1_000;
/** Changes that are looked at of one resource, the newest. */
const MOST_CHANGES = 500;
const ID = /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$/;

/**
 * What the control plane knows: rules as they were and are. Every method rejects with a `ControlPlaneUnavailable` while it cannot be asked, and
 * resolves to undefined, or to nothing, for what it does not know.
 */
export class ControlPlane {
  constructor(
    private readonly api: AdminApi,
    private readonly texts = new BoundedCache<RuleText>(MOST_KEPT, KEPT_MS),
  ) {}

  /** The same, all of whose answers together are waited for as long as for one: for questions that belong to one answer. */
  withinOneWait(): ControlPlane {
    return new ControlPlane(this.api.withinOneWait(), this.texts);
  }

  /** The rule at its own version, which is what decisions name: that of the plan for `plan:<plan_id>`, of the proposal for `proposed:<rule_id>`. */
  async ruleAt(ruleId: string, version: number): Promise<RuleText | undefined> {
    const key = `${version} ${ruleId}`;
    const kept = this.texts.get(key);
    if (kept !== undefined) return kept;
    const read = replacedRuleId(ruleId) === undefined ? await this.fromHistory(ruleId, version) : await this.fromLog(ruleId, version);
    if (read !== undefined) this.texts.set(key, read);
    return read;
  }

  /** The changes of a rule, a plan or a proposal, the newest first, 500 at most; empty for one that never was. */
  async ruleChanges(ruleId: string): Promise<readonly LogEntry[]> {
    const replaced = replacedRuleId(ruleId);
    if (replaced !== undefined) return this.changes(ID.test(replaced) ? `/v1/audit?kind=proposal&id=${replaced}&limit=${MOST_CHANGES}` : undefined);
    const path = historyPath(ruleId);
    return this.changes(path === undefined ? undefined : `${path}?limit=${MOST_CHANGES}`);
  }

  /** The changes of an override, likewise. */
  overrideChanges(overrideId: string): Promise<readonly LogEntry[]> {
    return this.changes(ID.test(overrideId) ? `/v1/overrides/${overrideId}/history?limit=${MOST_CHANGES}` : undefined);
  }

  /**
   * The limits that a request would meet now. Tenant and plan are those that the key has now; of a key that the control plane never knew, as they are given, since
   * others than gateways take keys of any kind. A key that has been deleted meets none.
   *
   * @returns undefined where no answer can be made of it
   */
  async inForce(attributes: Readonly<Record<string, string>>): Promise<InForce | undefined> {
    const { plan: _plan, tenant_id: _tenant, ...own } = attributes;
    const { key_id: keyId } = own;
    const asNow = keyId === undefined ? undefined : readInForce(await this.api.post('/v1/explain', { attributes: own }));
    if (asNow?.plan !== undefined) return asNow;
    if (keyId !== undefined && (await this.wasDeleted(keyId))) return { limits: [], plan: undefined, keyDisabled: false, keyGone: true };
    return readInForce(await this.api.post('/v1/explain', { attributes }));
  }

  private async wasDeleted(keyId: string): Promise<boolean> {
    const [newest] = await this.changes(ID.test(keyId) ? `/v1/keys/${keyId}/history?limit=1` : undefined);
    return newest !== undefined && newest.after === null;
  }

  private async fromHistory(ruleId: string, version: number): Promise<RuleText | undefined> {
    const path = historyPath(ruleId);
    return path === undefined || version < 1 ? undefined : readRuleText(ruleId, await this.api.get(`${path}/${version}`));
  }

  /** Proposals have no history of their own; the log has it. */
  private async fromLog(ruleId: string, version: number): Promise<RuleText | undefined> {
    const entry = (await this.ruleChanges(ruleId)).find(({ toVersion }) => toVersion === version);
    return entry === undefined ? undefined : readRuleText(ruleId, entry.after);
  }

  private async changes(path: string | undefined): Promise<readonly LogEntry[]> {
    return path === undefined ? [] : readLogEntries(await this.api.get(path));
  }
}

/** Ids come from events: what is none asks nothing. */
function historyPath(ruleId: string): string | undefined {
  const plan = planOf(ruleId);
  if (plan !== undefined) return ID.test(plan) ? `/v1/plans/${plan}/history` : undefined;
  return ID.test(ruleId) ? `/v1/rules/${ruleId}/history` : undefined;
}
