import { openEnvelope } from './envelope.js';
import { deadLetterTopic, TOPICS } from './topics.js';

describe('the envelope of every event', () => {
  it.each([
    [1, false],
    [2, true],
    [3, true],
    [4, false],
  ])('a consumer of version 3 meets version %d', (schema_version, ok) => {
    expect(openEnvelope(JSON.stringify({ schema_version, event_id: 'e' }), 3).ok).toBe(ok);
  });

  it('passes on the fields that it does not know', () => {
    const event = { schema_version: 1, event_id: 'e', anything: [1] };
    expect(openEnvelope(JSON.stringify(event), 1)).toEqual({ ok: true, event });
  });
});

describe('topics', () => {
  it('have their names, and one for dead letters each', () => {
    expect(Object.values(TOPICS).map(deadLetterTopic)).toEqual([
      'sluice.config.v1.dlq',
      'sluice.decisions.v1.dlq',
      'sluice.usage.v1.dlq',
      'sluice.budgets.v1.dlq',
    ]);
  });
});
