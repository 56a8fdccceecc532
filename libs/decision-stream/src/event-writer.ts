import { attributeText, encodeDecisionEvent, STANDARD_ATTRIBUTES } from '@sluice/events';
import type { RequestAttributes } from '@sluice/rules';
import type { StreamMessage } from './decision-stream.js';
import { eventOf, type EventPlace } from './event-of.js';
import type { Noted } from './noted.js';

export interface WriterParts extends EventPlace {
  /** Sent beside the standard ones. */
  readonly attributes: readonly string[];
}

/**
 * Writes events of `sluice.decisions.v1`. It makes an object of each and has `JSON.stringify` write it: a text put together by hand is a tree of small
 * strings, and making one of them when the sink sends it takes twice as long as all this.
 */
export class EventWriter {
  private readonly names: readonly string[];

  constructor(private readonly parts: WriterParts) {
    this.names = [...new Set<string>([...STANDARD_ATTRIBUTES, ...parts.attributes])];
  }

  write(noted: Noted): StreamMessage {
    const attributes = this.sentOf(noted.attributes);
    const { key_id, tenant_id, ip } = attributes;
    return { key: key_id ?? tenant_id ?? ip ?? '', value: encodeDecisionEvent(eventOf(this.parts, noted, attributes)) };
  }

  /** The attributes that are sent; any other may hold a secret. */
  private sentOf(attributes: RequestAttributes): Readonly<Record<string, string>> {
    const sent: Record<string, string> = {};
    for (const name of this.names) {
      const value: unknown = attributes[name];
      if (typeof value === 'string') sent[name] = attributeText(value);
    }
    return sent;
  }
}
