import { STANDARD_ATTRIBUTES, type DecisionEvent } from '@sluice/events';
import { type TextColumn, TextDictionary } from '@sluice/replay';
import { type DecisionColumns, MOST_TEXTS } from './decision-columns.js';
import { FLAT_FIELDS } from './flat-event.js';

/** Columns of events as values, for stores that hand them out so. Chunks that are empty are left out. */
export async function* eventColumns(chunks: AsyncIterable<readonly DecisionEvent[]>, attributes: ReadonlySet<string>): AsyncGenerator<DecisionColumns> {
  const dictionaries = new Dictionaries();
  for await (const events of chunks) if (events.length > 0) yield columnsOf(events, attributes, dictionaries);
}

/** The dictionaries of a scan, by field. */
export class Dictionaries {
  private readonly byField = new Map<string, TextDictionary>();

  of(field: string): TextDictionary {
    let dictionary = this.byField.get(field);
    if (dictionary === undefined || dictionary.size >= MOST_TEXTS) {
      dictionary = new TextDictionary();
      this.byField.set(field, dictionary);
    }
    return dictionary;
  }
}

function columnsOf(events: readonly DecisionEvent[], attributes: ReadonlySet<string>, dictionaries: Dictionaries): DecisionColumns {
  const texts = (field: string, read: (event: DecisionEvent) => string | null | undefined): TextColumn => {
    const dictionary = dictionaries.of(field);
    return { dictionary, codes: Int32Array.from(events, (event) => dictionary.codeOf(read(event))) };
  };
  const standard = STANDARD_ATTRIBUTES.filter((name) => attributes.has(name));
  return {
    length: events.length,
    atMs: Float64Array.from(events, ({ at_ms }) => at_ms),
    cost: Float64Array.from(events, ({ cost }) => cost),
    share: Float64Array.from(events, ({ sampled_share }) => sampled_share),
    allowed: Uint8Array.from(events, ({ allowed }) => (allowed ? 1 : 0)),
    attributes: new Map(standard.map((name) => [name, texts(name, (event) => event.attributes[name])])),
    moreAttributes: standard.length === attributes.size ? undefined : texts('more_attributes', FLAT_FIELDS.more_attributes),
    ruleId: texts('rule_id', FLAT_FIELDS.rule_id),
    producer: texts('producer', ({ event_id }) => event_id.slice(0, event_id.lastIndexOf(':'))),
    sequence: Float64Array.from(events, ({ event_id }) => Number(event_id.slice(event_id.lastIndexOf(':') + 1))),
  };
}
