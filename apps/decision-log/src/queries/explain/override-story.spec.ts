import type { LogEntry } from '../../control-plane/log-entry.js';
import { overrideStory } from './override-story.js';

const T = (clock: string): number => Date.parse(`2026-01-31T${clock}Z`);
const entry = (version: number, clock: string, after: object | null): LogEntry => ({ version, atMs: T(clock), actor: 'token:a', action: 'updated', toVersion: after === null ? null : version, after: after as LogEntry['after'] });
const text = (limit: number, clock: string): object => ({ limit, expires_at: new Date(T(clock)).toISOString() });
const CREATED = entry(10, '12:00:00', text(20, '15:00:00'));

describe('R82 what became of an override', () => {
  it.each<[string, readonly LogEntry[], number, object]>([
    ['lives', [CREATED], T('14:00:00'), { state: 'live', then: { limit: 20 }, endedAtMs: undefined }],
    ['has expired', [CREATED], T('15:00:00'), { state: 'expired', then: { limit: 20 }, endedAtMs: T('15:00:00') }],
    ['has expired, and was put away an hour later', [entry(40, '16:00:30', null), CREATED], T('20:00:00'), { state: 'expired', endedAtMs: T('15:00:00') }],
    ['was removed before its end', [entry(30, '14:30:00', null), CREATED], T('20:00:00'), { state: 'removed', endedAtMs: T('14:30:00') }],
    ['was changed after the decision', [entry(30, '14:30:00', text(50, '18:00:00')), CREATED], T('16:00:00'), { state: 'changed', then: { limit: 20, expiresAtMs: T('15:00:00') }, last: { limit: 50 }, endedAtMs: undefined }],
    ['was changed, and that has expired', [entry(30, '14:30:00', text(50, '18:00:00')), CREATED], T('19:00:00'), { state: 'expired', then: { limit: 20 }, endedAtMs: T('18:00:00') }],
    ['had been changed before the decision', [entry(20, '12:30:00', text(30, '17:00:00')), CREATED], T('14:00:00'), { state: 'live', then: { limit: 30 } }],
    ['is not in the log', [], T('14:00:00'), { state: 'unknown', then: undefined, last: undefined }],
    ['came after the version that decided, as of a restored database', [entry(99, '12:00:00', text(20, '15:00:00'))], T('14:00:00'), { state: 'live', then: undefined, last: { limit: 20 } }],
    ['is one that nobody can read', [entry(10, '12:00:00', { limit: 'many' })], T('14:00:00'), { state: 'unknown' }],
  ])('%s', (_name, changes, nowMs, story) => {
    expect(overrideStory({ overrideId: 'ovr_1', snapshotVersion: 25, nowMs }, changes)).toMatchObject({ overrideId: 'ovr_1', ...story });
  });
});
