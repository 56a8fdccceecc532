import { decodeConfigChanged, encodeConfigChanged } from './config-changed.js';

describe('R55 the wake-up after a change of rules', () => {
  const event = { schema_version: 1, event_id: 'e1', version: 42 } as const;

  it('reads what it wrote, and lets later fields be', () => {
    expect(decodeConfigChanged(encodeConfigChanged(event))).toEqual({ ok: true, event });
    expect(decodeConfigChanged(JSON.stringify({ ...event, region: 'eu' }))).toEqual({ ok: true, event });
  });

  it.each([
    ['', 'is not a JSON object'],
    ['null', 'is not a JSON object'],
    ['[]', 'is not a JSON object'],
    ['7', 'is not a JSON object'],
    ['{"event_id":"e","version":42}', 'has no schema_version that is an integer of at least 1'],
    ['{"schema_version":0,"event_id":"e","version":1}', 'has no schema_version that is an integer of at least 1'],
    ['{"schema_version":2,"event_id":"e","version":1}', 'has schema_version 2, and only 1 and the one before are read'],
    ['{"schema_version":1,"event_id":"","version":1}', 'has no event_id that is a string'],
    ['{"schema_version":1,"__proto__":{"event_id":"e"},"version":1}', 'has no event_id that is a string'],
    ['{"schema_version":1,"event_id":"e"}', 'has no version that is an integer of at least 1'],
    ['{"schema_version":1,"event_id":"e","version":"42"}', 'has no version that is an integer of at least 1'],
    ['{"schema_version":1,"event_id":"e","version":1.5}', 'has no version that is an integer of at least 1'],
    ['{"schema_version":1,"event_id":"e","version":0}', 'has no version that is an integer of at least 1'],
  ])('%s is refused with its reason', (text, reason) => {
    expect(decodeConfigChanged(text)).toEqual({ ok: false, reason });
  });
});
