import { inSlices } from '@sluice/rules';
import type { DecisionColumns } from '../store/decision-columns.js';
import { orderedBatch } from './ordered-batch.js';
import { STEP_BACK_MS } from './step-back.js';

/** What comes within it is put in order at once: with each chunk it would be done again and again. */
const BATCH_MS = 1_000;

/**
 * Decisions in the order in which they were made: of one producer by its sequence, where its clock steps back by no more than a second; of several, and beyond that, by time. Times do not step back in what comes out: an
 * event whose clock did has the time that was reached. Nearly all come in this order already: then they are handed on as they are. In slices, beside what else the thread does.
 *
 * @param chunks the oldest first
 */
export async function* inOrder(chunks: AsyncIterable<DecisionColumns>): AsyncGenerator<DecisionColumns> {
  let waiting: DecisionColumns[] = [];
  let newestMs = -Infinity;
  let orderedToMs = -Infinity;
  let reachedMs = -Infinity;
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    waiting.push(chunk);
    newestMs = Math.max(newestMs, chunk.atMs[chunk.length - 1] ?? 0);
    if (newestMs < orderedToMs + BATCH_MS) continue;
    orderedToMs = newestMs;
    const batch = await inSlices(orderedBatch(waiting, reachedMs));
    let end = batch.length;
    // Nothing that comes can be put before what is older than that.
    while (end > 0 && (batch.atMs[end - 1] ?? 0) >= newestMs - STEP_BACK_MS) end -= 1;
    if (end > 0) reachedMs = batch.atMs[end - 1] ?? reachedMs;
    yield* batch.pieces(0, end);
    waiting = [];
    // By their own times: who comes between them may change what they are taken for.
    for await (const piece of batch.pieces(end, batch.length)) waiting.push({ ...piece, atMs: piece.ownMs });
  }
  const rest = await inSlices(orderedBatch(waiting, reachedMs));
  yield* rest.pieces(0, rest.length);
}
