/** What a control plane says of itself. */
export interface ControlPlaneMetrics {
  /** Builds so far and the time that they took, ms. */
  readonly builds: number;
  readonly buildMs: number;
  /** Longest delay of a timer of 10 ms since the last look. */
  readonly longestDelayMs: number;
}

/** Reads `/metrics`. @param from `everything` or `changes` */
export async function metricsOf(port: number, from: string): Promise<ControlPlaneMetrics> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const value = (name: string, label = ''): number => Number(new RegExp(`^${name}\\{[^}]*${label}[^}]*\\} (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
  return {
    builds: value('sluice_snapshot_build_seconds_count', `from="${from}"`),
    buildMs: value('sluice_snapshot_build_seconds_sum', `from="${from}"`) * 1_000,
    longestDelayMs: value('nodejs_eventloop_lag_max_seconds') * 1_000,
  };
}
