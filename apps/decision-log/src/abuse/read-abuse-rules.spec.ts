import { readFileSync } from 'node:fs';
import { ConfigError } from '@sluice/platform';
import { readAbuseRules } from './read-abuse-rules.js';

const WHOLE = `
dry_run: false
every_seconds: 5
lateness_seconds: 60
patterns:
  - id: refused-a-lot
    kind: refusals
    threshold: 500
    window_seconds: 300
    action: apply
    override: { factor: 0.1, floor: 5, ttl_seconds: 900 }
  - { id: many-keys, kind: keys_per_address, threshold: 50, window_seconds: 600, override: { rule_id: "plan:free", limit: 10, floor: 1, ttl_seconds: 600 } }
  - { id: jump, kind: jump, factor: 10, least: 1000, window_seconds: 300 }
  - { id: guessing, kind: unauthenticated, threshold: 100, window_seconds: 60 }
`;

const faultsOf = (text: string): readonly string[] => {
  try {
    readAbuseRules(text);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
};

describe('R84 patterns as configuration', () => {
  it('reads each kind', () => {
    expect(readAbuseRules(WHOLE)).toEqual({
      dryRun: false,
      everyMs: 5_000,
      latenessMs: 60_000,
      patterns: [
        { id: 'refused-a-lot', kind: 'refusals', threshold: 500, windowMs: 300_000, action: 'apply', override: { ruleId: undefined, limit: undefined, factor: 0.1, floor: 5, ttlMs: 900_000 } },
        { id: 'many-keys', kind: 'keys_per_address', threshold: 50, windowMs: 600_000, action: 'propose', override: { ruleId: 'plan:free', limit: 10, factor: undefined, floor: 1, ttlMs: 600_000 } },
        { id: 'jump', kind: 'jump', factor: 10, least: 1000, normMs: 7 * 86_400_000, windowMs: 300_000, action: 'propose', override: undefined },
        { id: 'guessing', kind: 'unauthenticated', threshold: 100, windowMs: 60_000, action: 'propose', override: undefined },
      ],
    });
  });

  it('JSON is YAML, and a dry run is what nobody decided otherwise', () => {
    expect(readAbuseRules('{"patterns":[]}')).toEqual({ dryRun: true, everyMs: 10_000, latenessMs: 30_000, patterns: [] });
  });

  const pattern = (more: string): string => `{patterns: [{id: p, kind: refusals, threshold: 5, window_seconds: 60, ${more}}]}`;
  it.each([
    ['', 'abuse rules: the whole must be an object'],
    ['[1]', 'abuse rules: the whole must be an object'],
    ['{patterns: 7}', 'abuse rules: patterns must be a list of at most 100 patterns'],
    ['{patterns: [7]}', 'abuse rules: patterns[0] must be an object'],
    ['{patterns: [], dry_run: "no"}', 'abuse rules: dry_run must be true or false'],
    ['{patterns: [], dryrun: false}', 'abuse rules: dryrun is not known; known are dry_run, every_seconds, lateness_seconds, patterns'],
    ['{patterns: [], every_seconds: 0}', 'abuse rules: every_seconds must be an integer from 1 to 3600'],
    ['{patterns: [{id: p, kind: magic, threshold: 5, window_seconds: 60}]}', 'abuse rules: patterns[0].kind must be one of refusals, keys_per_address, jump, unauthenticated'],
    ['{patterns: [{id: "a b", kind: refusals, threshold: 5, window_seconds: 60}]}', 'abuse rules: patterns[0].id must be an id of 1 to 64 letters, digits, _ . or -'],
    ['{patterns: [{id: p, kind: refusals, threshold: 0, window_seconds: 65}]}', 'abuse rules: patterns[0].window_seconds must be a multiple of 10; abuse rules: patterns[0].threshold must be an integer from 1 to 1000000000000'],
    ['{patterns: [{id: p, kind: jump, factor: 1, least: 1, window_seconds: 60}]}', 'abuse rules: patterns[0].factor must be a number from 1.1 to 1000000'],
    ['{patterns: [{id: p, kind: refusals, threshold: 5, window_seconds: 60}, {id: p, kind: refusals, threshold: 6, window_seconds: 60}]}', 'abuse rules: patterns: p is there more than once'],
    [pattern('action: apply'), 'abuse rules: patterns[0].override must say what to apply'],
    [pattern('thresold: 3'), 'abuse rules: patterns[0].thresold is not known; known are id, kind, window_seconds, action, override, threshold'],
    [pattern('override: {limit: 5, factor: 0.5, floor: 1, ttl_seconds: 60}'), 'abuse rules: patterns[0].override.limit or factor must be there, and not both'],
    [pattern('override: {limit: 5, floor: 6, ttl_seconds: 60}'), 'abuse rules: patterns[0].override.limit is below the floor'],
    [pattern('override: {limit: 5, floor: 0, ttl_seconds: 60}'), 'abuse rules: patterns[0].override.floor must be an integer from 1 to 1000000000000'],
    [pattern('override: {limit: 5, floor: 1, ttl_seconds: 59}'), 'abuse rules: patterns[0].override.ttl_seconds must be an integer from 60 to 604800'],
    [pattern('override: {limit: 5, floor: 1, ttl_seconds: 60, rule_id: "a b"}'), "abuse rules: patterns[0].override.rule_id must be a rule's id, or plan: and a plan's id"],
    ['{patterns: [{id: p, kind: unauthenticated, threshold: 5, window_seconds: 60, override: {limit: 5, floor: 1, ttl_seconds: 60}}]}', 'abuse rules: patterns[0].override has no key to apply to: requests without credentials have none'],
    ['{patterns: [{id: p, kind: unauthenticated, threshold: 5, window_seconds: 60, action: apply}]}', 'abuse rules: patterns[0].override is not possible here, so that action must be propose'],
  ])('%s', (text, faults) => {
    expect(faultsOf(text).join('; ')).toBe(faults);
  });

  it('tells a bomb of aliases and bad syntax', () => {
    expect(faultsOf('a: &a [1]\nb: [*a, *a]\npatterns: []')[0]).toMatch(/neither YAML nor JSON/);
    expect(faultsOf('{patterns: [')[0]).toMatch(/neither YAML nor JSON/);
  });
});

it('the example of the documentation is sound, and applies nothing by itself', () => {
  const { dryRun, patterns } = readAbuseRules(readFileSync(new URL('../../../../docs/abuse-rules.example.yaml', import.meta.url), 'utf8'));
  expect([dryRun, patterns.map(({ kind }) => kind)]).toEqual([true, ['refusals', 'keys_per_address', 'jump', 'unauthenticated']]);
});
