import type { ReplayReport, SumsReport } from '@sluice/replay';
import type { Outcome } from './backtest.js';
import type { TriedRules } from './read-rules.js';
import { table } from './table.js';

/** What people read. */
export function printedOutcome({ report, fromMs, toMs, badLines, elapsedMs }: Outcome, tried: TriedRules, top: number): string {
  const { total } = report;
  const parts = [
    `${whole(total.requests)} requests${fromMs === undefined || toMs === undefined ? '' : ` from ${iso(fromMs)} to ${iso(toMs)}`}`,
    `would refuse ${whole(total.refused)} (${percent(total.refused_share)})${compared(total)}`,
    '',
    table(['rule', 'mode', 'applied to', 'refused', '429 rate'], report.rules.map((rule) => [rule.rule_id, rule.mode, whole(rule.requests), whole(rule.refused), percent(rule.refused_share)])),
    ...list('plan', report.plans, top),
    ...list('endpoint', report.endpoints, top),
    ...list('key', report.keys, top),
    ...course(report),
    ...notes(report, tried, badLines),
    '',
    `${(elapsedMs / 1_000).toFixed(1)} s, ${whole((total.requests / Math.max(1, elapsedMs)) * 1_000)} requests/s`,
  ];
  return parts.join('\n');
}

function list(name: string, rows: readonly (SumsReport & { readonly name: string })[], top: number): readonly string[] {
  if (rows.length === 0) return [];
  const lines = rows.slice(0, top).map((row) => [row.name, whole(row.requests), whole(row.refused), percent(row.refused_share), ...differences(row)]);
  const isCompared = rows.some((row) => row.compared !== null);
  return ['', table([name, 'requests', 'refused', '429 rate', ...(isCompared ? ['newly refused', 'newly allowed'] : [])], lines)];
}

/** The minutes, or longer ones, with the most refusals. */
function course({ times, bucket_ms }: ReplayReport): readonly string[] {
  const worst = [...times].sort((a, b) => b.refused - a.refused || a.start_ms - b.start_ms).filter(({ refused }) => refused > 0).slice(0, 5);
  if (worst.length === 0) return [];
  return ['', table([`worst ${bucket_ms / 60_000} min`, 'requests', 'refused', '429 rate'], worst.map((row) => [iso(row.start_ms), whole(row.requests), whole(row.refused), percent(row.refused_share)]))];
}

function notes(report: ReplayReport, { snapshot, warnings }: TriedRules, badLines: number): readonly string[] {
  const met = new Set(report.rules.map(({ rule_id }) => rule_id));
  const idle = snapshot.rules.filter(({ rule_id, mode }) => mode !== 'off' && !met.has(rule_id)).map(({ rule_id }) => rule_id);
  const said = [
    ...(idle.length > 0 ? [`no request met: ${idle.slice(0, 10).join(', ')}${idle.length > 10 ? ' and more' : ''} (do the log's columns have the attributes that they match and count by?)`] : []),
    ...warnings.map(({ rule_id, detail }) => `${rule_id} ${detail}`),
    ...(badLines > 0 ? [`${badLines} lines are no requests and were skipped`] : []),
    ...(report.out_of_order > 0 ? [`${report.out_of_order} requests came later than --reorder waits for, and were decided when they came`] : []),
    ...(report.counters_forgotten > 0 ? [`${report.counters_forgotten} counters had to be forgotten: some requests passed that would have been refused`] : []),
    ...(report.unlisted_at_most.keys > 0 ? [`there are more keys than are kept: one that is not listed has at most ${whole(report.unlisted_at_most.keys)} changes`] : []),
  ];
  return said.length === 0 ? [] : ['', ...said.map((note) => `note: ${note}`)];
}

function compared({ compared: really }: SumsReport): string {
  if (really === null) return '';
  return `; really refused ${whole(really.really_refused)}, newly refused ${whole(really.newly_refused)}, newly allowed ${whole(really.newly_allowed)}`;
}

function differences({ compared: really }: SumsReport): readonly string[] {
  return really === null ? [] : [whole(really.newly_refused), whole(really.newly_allowed)];
}

function whole(value: number): string {
  return String(Math.round(value));
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share > 0 && share < 0.001 ? 3 : 1)} %`;
}

function iso(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}
