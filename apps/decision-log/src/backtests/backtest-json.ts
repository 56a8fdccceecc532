import type { Backtest } from './backtest.js';

/** A backtest as the API shows it; lists leave the result out. */
export function backtestJson(backtest: Backtest, { withResult, nowMs }: { readonly withResult: boolean; readonly nowMs: number }): object {
  const { id, actor, state, plan, createdMs, startedMs, endedMs, fault, progress } = backtest;
  const { fromMs, toMs, region, attributes } = plan.filter;
  const { share, events, eventsPerSecond } = progress;
  const spentMs = startedMs === undefined ? 0 : nowMs - startedMs;
  const etaSeconds = state === 'running' && share > 0 ? Math.ceil((spentMs * (1 - share)) / share / 1_000) : null;
  const shown = {
    backtest_id: id,
    actor,
    state,
    from: iso(fromMs),
    to: iso(toMs),
    filter: { ...attributes, ...(region === undefined ? {} : { region }) },
    snapshot_version: plan.snapshot.version,
    warnings: plan.warnings,
    overrides_left_out: plan.overridesLeftOut,
    created_at: iso(createdMs),
    started_at: startedMs === undefined ? null : iso(startedMs),
    ended_at: endedMs === undefined ? null : iso(endedMs),
    progress: { share, events, events_per_second: eventsPerSecond, eta_seconds: etaSeconds },
    fault: fault ?? null,
  };
  return withResult ? { ...shown, result: resultOf(backtest) } : shown;
}

function resultOf(backtest: Backtest): object | null {
  const report = backtest.report();
  if (report === undefined) return null;
  const { times, bucket_ms, ...rest } = report;
  return { partial: backtest.state !== 'done', ...rest, bucket_seconds: bucket_ms / 1_000, times: times.map(({ start_ms, ...sums }) => ({ starts_at: iso(start_ms), ...sums })) };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
