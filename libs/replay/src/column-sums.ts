import type { Counter } from './counter.js';
import type { ReplaySums } from './replay-sums.js';
import type { RequestColumns, TextColumn } from './request-columns.js';
import type { Tally } from './tally.js';
import { TallyCache } from './tally-cache.js';

/** Adds requests of columns to the sums. */
export class ColumnSums {
  private columns: RequestColumns | undefined;
  private plan: TextColumn | undefined;
  private endpoint: TextColumn | undefined;
  private keyId: TextColumn | undefined;
  private tenantId: TextColumn | undefined;
  private ip: TextColumn | undefined;
  private readonly plans: TallyCache;
  private readonly endpoints: TallyCache;
  private readonly keys: TallyCache;
  private readonly tenants: TallyCache;
  private readonly addresses: TallyCache;

  constructor(private readonly sums: ReplaySums) {
    const { plans, endpoints, keys } = sums;
    this.plans = new TallyCache(plans);
    this.endpoints = new TallyCache(endpoints);
    this.keys = new TallyCache(keys.key_id);
    this.tenants = new TallyCache(keys.tenant_id);
    this.addresses = new TallyCache(keys.ip);
  }

  /** Names the columns of which rows are added from now on. */
  turnTo(columns: RequestColumns): void {
    if (columns === this.columns) return;
    const { attributes } = columns;
    this.columns = columns;
    this.plan = attributes.get('plan');
    this.endpoint = attributes.get('endpoint');
    this.keyId = attributes.get('key_id');
    this.tenantId = attributes.get('tenant_id');
    this.ip = attributes.get('ip');
  }

  /**
   * @param requests that the row stands for
   * @param refused of those
   * @param byKey a counter of the row's `key_id`, if there is one
   */
  add(row: number, atMs: number, cost: number, share: number, wasAllowed: boolean, requests: number, refused: number, byKey: Counter | undefined): void {
    const { sums, plan, endpoint } = this;
    sums.addToAll(atMs, cost, share, wasAllowed, requests, refused);
    const planCode = plan?.codes[row] ?? 0;
    if (plan !== undefined && planCode !== 0) this.plans.of(plan, planCode).add(requests, refused, cost, share, wasAllowed);
    const endpointCode = endpoint?.codes[row] ?? 0;
    if (endpoint !== undefined && endpointCode !== 0) this.endpoints.of(endpoint, endpointCode).add(requests, refused, cost, share, wasAllowed);
    this.keyTally(row, byKey)?.add(requests, refused, cost, share, wasAllowed);
    if (wasAllowed) return;
    const { dictionary, codes } = this.columns?.ruleId ?? {};
    const ruleId = dictionary?.textOf(codes?.[row] ?? 0);
    if (ruleId !== undefined) sums.addRecorded(ruleId, requests, requests - refused);
  }

  private keyTally(row: number, byKey: Counter | undefined): Tally | undefined {
    const { keyId, tenantId, ip } = this;
    const { epoch } = this.sums.keys.key_id;
    if (byKey?.tally !== undefined && byKey.tallyEpoch === epoch) return byKey.tally;
    const keyCode = keyId?.codes[row] ?? 0;
    if (keyId !== undefined && keyCode !== 0) {
      const tally = this.keys.of(keyId, keyCode);
      if (byKey !== undefined && this.sums.keys.key_id.epoch === epoch) {
        byKey.tally = tally;
        byKey.tallyEpoch = epoch;
      }
      return tally;
    }
    const tenantCode = tenantId?.codes[row] ?? 0;
    if (tenantId !== undefined && tenantCode !== 0) return this.tenants.of(tenantId, tenantCode);
    const ipCode = ip?.codes[row] ?? 0;
    return ip !== undefined && ipCode !== 0 ? this.addresses.of(ip, ipCode) : undefined;
  }
}
