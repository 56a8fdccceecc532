import { DECISION_SCHEMA_VERSION, MAX_DECISION_LIMITS, STANDARD_ATTRIBUTES } from '@sluice/events';
import type { Decision, PolicyOutcome } from '@sluice/limiter';
import type { AppliedRule, RequestAttributes } from '@sluice/rules';
import { attributeText } from './attribute-text.js';
import type { StreamMessage } from './decision-stream.js';
import { jsonString } from './json-string.js';
import type { Noted } from './noted.js';

export interface WriterParts {
  /** Names this start of this process: 1 to 64 letters, digits, _ or -. */
  readonly producer: string;
  readonly region: string;
  readonly nodeId: string;
  readonly app: string;
  /** Sent beside the standard ones. */
  readonly attributes: readonly string[];
}

/** Writes events of `sluice.decisions.v1`, field by field in the order of `DecisionEvent`: no object is made of what is a text a moment later. */
export class EventWriter {
  private readonly start: string;
  private readonly where: string;
  private readonly names: readonly { readonly name: string; readonly field: string }[];

  constructor({ producer, region, nodeId, app, attributes }: WriterParts) {
    this.start = `{"schema_version":${String(DECISION_SCHEMA_VERSION)},"event_id":"${producer}:`;
    this.where = `,"region":${jsonString(region)},"node_id":${jsonString(nodeId)},"app":${jsonString(app)},"snapshot_version":`;
    this.names = [...new Set<string>([...STANDARD_ATTRIBUTES, ...attributes])].map((name) => ({ name, field: `${jsonString(name)}:` }));
  }

  write({ sequence, subject, attributes, share, atMs, snapshotVersion }: Noted): StreamMessage {
    let kind = 'decision';
    let at = atMs;
    let version = snapshotVersion;
    let said: string;
    if (typeof subject === 'string') {
      kind = 'unauthenticated';
      said = `"allowed":false,"reason":"${subject}","source":"none","cost":0,"retry_after_ms":null,"attributes":{${this.written(attributes)}},"limits":[`;
    } else if ('rule' in subject) {
      kind = 'shadow';
      said = `"allowed":false,"reason":"shadow","source":"none","cost":0,"retry_after_ms":null,"attributes":{${this.written(attributes)}},"limits":[${inShadow(subject)}`;
    } else {
      at = subject.nowMs;
      version = subject.snapshotVersion;
      const { allowed, reason, deciding, cost, retryAfterMs } = subject;
      said = `"allowed":${String(allowed)},"reason":"${reason}","source":"${deciding?.source ?? 'none'}","cost":${String(cost)},"retry_after_ms":${String(retryAfterMs ?? null)},"attributes":{${this.written(attributes)}},"limits":[${limitsOf(subject)}`;
    }
    const value = `${this.start}${String(sequence)}","kind":"${kind}","at_ms":${String(at)}${this.where}${String(version)},"sampled_share":${String(share)},${said}]}`;
    return { key: keyOf(attributes), value };
  }

  /** The attributes that are sent; any other may hold a secret. */
  private written(attributes: RequestAttributes): string {
    let fields = '';
    for (const { name, field } of this.names) {
      const value: unknown = attributes[name];
      if (typeof value !== 'string') continue;
      fields += `${fields === '' ? '' : ','}${field}${jsonString(attributeText(value))}`;
    }
    return fields;
  }
}

/** What events are spread and ordered by. */
function keyOf({ key_id, tenant_id, ip }: RequestAttributes): string {
  return attributeText(key_id ?? tenant_id ?? ip ?? '');
}

function limitsOf({ deciding, policies }: Decision): string {
  if (deciding === undefined) return '';
  let limits = limitOf(deciding);
  let count = 1;
  for (const outcome of policies) {
    if (outcome === deciding) continue;
    if (count === MAX_DECISION_LIMITS) break;
    limits += `,${limitOf(outcome)}`;
    count += 1;
  }
  return limits;
}

function limitOf({ policy, ruleId, ruleVersion, overrideId, allowed, limit, windowMs, remaining, resetMs, retryMs, source, reason }: PolicyOutcome): string {
  return `{${named(policy, ruleId, ruleVersion, overrideId)},"allowed":${String(allowed)},"limit":${String(limit)},"window_ms":${String(windowMs)},"remaining":${String(remaining)},"reset_ms":${String(resetMs)},"retry_ms":${String(retryMs)},"source":"${source}","reason":"${reason}"}`;
}

/** Of a verdict in shadow nothing is known but that it refuses. */
function inShadow({ rule, quota, overrideId }: AppliedRule): string {
  return `{${named(rule.policy, rule.ruleId, rule.version, overrideId)},"allowed":false,"limit":${String(quota.limit)},"window_ms":${String(quota.windowMs)},"remaining":0,"reset_ms":0,"retry_ms":0,"source":"none","reason":"quota"}`;
}

function named(policy: string, ruleId: string, ruleVersion: number, overrideId: string | undefined): string {
  return `"policy":${jsonString(policy)},"rule_id":${jsonString(ruleId)},"rule_version":${String(ruleVersion)},"override_id":${overrideId === undefined ? 'null' : jsonString(overrideId)}`;
}
