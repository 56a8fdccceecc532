import { problem, ProblemException, problemType } from '@sluice/platform';
import { inSlices, type Snapshot, validateSnapshotSteps } from '@sluice/rules';
import { AdminApi } from '../control-plane/admin-api.js';
import { ControlPlaneUnavailable } from '../control-plane/control-plane-unavailable.js';
import { invalid } from '../input/invalid.js';

/** Thousands of rules take longer than one. */
const TIMEOUT_MS = 15_000;

/** The rules in force, now or at a time, by the control plane's snapshot: its `node` and `viewer` may have it. */
export class RulesInForce {
  private readonly api: AdminApi;

  constructor(options: { readonly url: string; readonly token: string }) {
    this.api = new AdminApi({ ...options, timeoutMs: TIMEOUT_MS });
  }

  /** @throws ProblemException 400 for a time before the log of changes, 503 while the control plane cannot be asked */
  async at(time: string | undefined): Promise<Snapshot> {
    const snapshot = await this.ask(time);
    if (snapshot === undefined) throw invalid([{ pointer: '/against', detail: 'is before the first change that the control plane knows of' }]);
    const validated = await inSlices(validateSnapshotSteps(snapshot));
    if (validated.ok) return validated.value;
    const [fault] = validated.faults;
    throw unavailable(`what it sent is no snapshot that this service reads (${fault?.pointer ?? ''} ${fault?.detail ?? ''})`);
  }

  private async ask(time: string | undefined): Promise<unknown> {
    try {
      return await this.api.get(time === undefined ? '/v1/snapshot' : `/v1/snapshot?at=${encodeURIComponent(time)}`);
    } catch (error) {
      if (error instanceof ControlPlaneUnavailable) throw unavailable(error.message);
      throw error;
    }
  }
}

function unavailable(why: string): ProblemException {
  const detail = `The rules in force cannot be asked of the control plane now: ${why}.`;
  return new ProblemException(problem(503, { type: problemType('control-plane-unavailable'), title: 'Control plane unavailable', detail }), { 'retry-after': '2' });
}
