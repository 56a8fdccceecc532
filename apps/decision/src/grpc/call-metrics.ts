import { type CallRecord, GRPC_STATUS } from '@sluice/envoy-rls';
import { type Registry, type Tally, TalliedHistogram } from '@sluice/platform';

/** `grpc_code` as gRPC's own metrics spell it, by number. */
const CODE_NAMES = new Map<number, string>(Object.entries(GRPC_STATUS).map(([name, code]) => [code, name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()]));

/** Times every call. Methods are those that are served, and `other`: a caller makes up no time series (R93). */
export function measureCalls(registry: Registry): (call: CallRecord) => void {
  const duration = new TalliedHistogram({
    name: 'sluice_grpc_call_duration_seconds',
    help: 'Time from the head of a gRPC call to its answer.',
    labelNames: ['method', 'code'],
    buckets: [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 10],
    registers: [registry],
  });
  const tallies = new Map<string, Map<number, Tally>>();
  return ({ method, code, seconds }) => {
    let byCode = tallies.get(method);
    if (byCode === undefined) tallies.set(method, (byCode = new Map()));
    let tally = byCode.get(code);
    if (tally === undefined) byCode.set(code, (tally = duration.tally({ method, code: CODE_NAMES.get(code) ?? 'UNKNOWN' })));
    tally.observe(seconds);
  };
}
