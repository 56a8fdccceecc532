import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Snapshot } from '@sluice/rules';

/** Takes some tenths of a ms. */
const ITEMS_A_PIECE = 250;

/** The JSON of `{...head, snapshot}` piece by piece, with a turn of the event loop after each: no request waits for a whole snapshot. */
export async function* copyText(head: object, { version, plans, rules, overrides }: Snapshot): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"snapshot":{"version":${version}`;
  for (const [name, items] of Object.entries({ plans, rules, overrides })) {
    yield `,"${name}":[`;
    for (let at = 0; at < items.length; at += ITEMS_A_PIECE) {
      const piece = JSON.stringify(items.slice(at, at + ITEMS_A_PIECE)).slice(1, -1);
      yield at === 0 ? piece : `,${piece}`;
      await nextTurn();
    }
    yield ']';
  }
  yield '}}';
}
