import { decodeConfigChanged, encodeConfigChanged } from './config-changed.js';

describe('R55 the wake-up after a change of rules', () => {
  const event = { schema_version: 1, event_id: 'e1', version: 42 } as const;

  it('reads what it wrote, and lets later fields be', () => {
    expect(decodeConfigChanged(encodeConfigChanged(event))).toEqual(event);
    expect(decodeConfigChanged(JSON.stringify({ ...event, region: 'eu' }))).toEqual(event);
  });

  it.each(['', 'null', '[]', '7', '{"version":42}', '{"schema_version":2,"event_id":"e","version":1}', '{"schema_version":1,"event_id":"e","version":1.5}'])('%s is none', (text) => {
    expect(decodeConfigChanged(text)).toBeUndefined();
  });
});
