import type { Parsed } from '@sluice/platform';

const SHARE = /^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/;
/** A rule, or a proposed version of one, as snapshots name it; `plan:free` is a plan's default limit. */
const RULE_ID = /^(?:(?:plan|proposed):)?[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$/;
const EXAMPLE = 'a share from 0 to 1 such as 0.05, of six decimals at most';

/** Reads a share from 0 to 1, such as `0.05`. */
export function parseShare(text: string): Parsed<number> {
  if (!SHARE.test(text)) return { ok: false, why: `${JSON.stringify(text)} is not ${EXAMPLE}` };
  return { ok: true, value: Number(text) };
}

/** Reads shares by rule id, `search=1,login=0.5`; blanks around a pair do not count. */
export function parseRuleShares(text: string): Parsed<ReadonlyMap<string, number>> {
  const shares = new Map<string, number>();
  for (const [index, part] of text.split(',').entries()) {
    const pair = part.trim();
    const at = pair.indexOf('=');
    const ruleId = pair.slice(0, Math.max(at, 0));
    const share = parseShare(pair.slice(at + 1));
    const why = at < 0 ? `${JSON.stringify(pair)} is not a rule and its share such as search=0.5` : pairFault(ruleId, shares);
    if (why !== undefined) return { ok: false, why: `item ${index + 1}: ${why}` };
    if (!share.ok) return { ok: false, why: `item ${index + 1}: ${share.why}` };
    shares.set(ruleId, share.value);
  }
  return { ok: true, value: shares };
}

function pairFault(ruleId: string, shares: ReadonlyMap<string, number>): string | undefined {
  if (!RULE_ID.test(ruleId)) return `${JSON.stringify(ruleId)} is no id of a rule`;
  return shares.has(ruleId) ? `${ruleId} has a share already` : undefined;
}
