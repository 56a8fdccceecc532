import { decodeDecisionEvent } from '@sluice/events';
import type { DecisionStore, ReceivedEvent } from '../store/decision-store.js';
import { sampleTexts } from './sample-texts.js';

/** Processor time and wall time of one event, in µs. */
export interface WritingCost {
  readonly decodeCpu: number;
  readonly writeCpu: number;
  readonly wall: number;
}

/** Decodes and stores messages in batches, as the sink does. */
export async function measureWriting(store: DecisionStore, { from, events, batch, firstMs }: { readonly from: number; readonly events: number; readonly batch: number; readonly firstMs: number }): Promise<WritingCost> {
  const texts = sampleTexts(from, events, firstMs);
  let decode = 0;
  let write = 0;
  const startedMs = performance.now();
  for (let first = 0; first < events; first += batch) {
    const before = cpuUs();
    const received: ReceivedEvent[] = [];
    for (const text of texts.slice(first, first + batch)) {
      const decoded = decodeDecisionEvent(text);
      if (decoded.ok) received.push({ partition: 0, event: decoded.event });
    }
    const between = cpuUs();
    const { stored } = await store.write(received);
    if (stored !== received.length) throw new Error(`${String(stored)} of ${String(received.length)} events were stored`);
    decode += between - before;
    write += cpuUs() - between;
  }
  return { decodeCpu: decode / events, writeCpu: write / events, wall: ((performance.now() - startedMs) * 1_000) / events };
}

/** Of all threads: DuckDB's are counted too. */
function cpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
