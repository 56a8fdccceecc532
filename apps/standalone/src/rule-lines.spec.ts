import { ruleLines } from './rule-lines.js';
import { shownToken } from './shown-token.js';

describe('R90 the lines to try work when pasted', () => {
  const adminUrl = 'http://127.0.0.1:3000';

  it('name the version that the rule has now, and let the shell fill in a configured token', () => {
    const lines = ruleLines({ adminUrl, shownToken: shownToken(['first-token']), tag: '"v7"' }).split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(`-H 'If-Match: "v7"'`);
    for (const line of lines) expect(line).toContain('"Authorization: Bearer $SLUICE_ADMIN_TOKEN"');
    expect(shownToken(['first-token', 'second-token'])).toBe('${SLUICE_ADMIN_TOKEN%%,*}');
  });

  it('do not name a rule that is not there', () => {
    expect(ruleLines({ adminUrl, shownToken: 'sluice-dev-admin', tag: undefined })).not.toMatch(/free-default|PUT/);
  });
});
