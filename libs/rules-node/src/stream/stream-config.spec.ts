import { loadConfig } from '@sluice/platform';
import { STREAM_CONFIG } from './stream-config.js';

describe('R80 what a node sends is configured', () => {
  const load = (env: Readonly<Record<string, string>>) => loadConfig(STREAM_CONFIG, env);

  it('has defaults for all of it', () => {
    expect(load({})).toEqual({ stream: undefined, streamAllowShare: 0.01, streamRuleShares: undefined, streamAttributes: undefined });
  });

  it('reads shares, rules and attributes', () => {
    const env = { SLUICE_STREAM: 'off', SLUICE_STREAM_ALLOWS: '0', SLUICE_STREAM_RULE_ALLOWS: 'search=1, login=0.5,plan:free=0,proposed:a.b=0.000001', SLUICE_STREAM_ATTRIBUTES: 'device, ip,rule,device' };
    expect(load(env)).toEqual({
      stream: 'off',
      streamAllowShare: 0,
      streamRuleShares: new Map([['search', 1], ['login', 0.5], ['plan:free', 0], ['proposed:a.b', 1e-6]]),
      streamAttributes: ['device', 'rule'],
    });
  });

  it.each([
    ['SLUICE_STREAM', 'yes', '"yes" is not one of on, off'],
    ...['2', '-0.1', '1.1', 'NaN', '1e-3', '50%', '.5', '0,5', '0.0000001'].map((share) => ['SLUICE_STREAM_ALLOWS', share, `${JSON.stringify(share)} is not a share from 0 to 1 such as 0.05, of six decimals at most`] as const),
    ['SLUICE_STREAM_RULE_ALLOWS', 'search', 'item 1: "search" is not a rule and its share such as search=0.5'],
    ['SLUICE_STREAM_RULE_ALLOWS', 'search=1,', 'item 2: "" is not a rule and its share such as search=0.5'],
    ['SLUICE_STREAM_RULE_ALLOWS', 'search=1,login=2', 'item 2: "2" is not a share from 0 to 1 such as 0.05, of six decimals at most'],
    ['SLUICE_STREAM_RULE_ALLOWS', 'search=1,search=0', 'item 2: search has a share already'],
    ['SLUICE_STREAM_RULE_ALLOWS', '=1', 'item 1: "" is no id of a rule'],
    ['SLUICE_STREAM_RULE_ALLOWS', 'a b=1', 'item 1: "a b" is no id of a rule'],
    ['SLUICE_STREAM_ATTRIBUTES', 'device,,rule', 'item 2: it is empty'],
    ['SLUICE_STREAM_ATTRIBUTES', 'a b', 'item 1: "a b" is no name of an attribute: 1 to 64 letters, digits, _ . : / or -'],
    ...['authorization', 'Cookie', 'x-api-key', 'api_key', 'session.token', 'user_password', 'x-auth', 'accessToken', 'tokens'].map((name) => ['SLUICE_STREAM_ATTRIBUTES', name, `item 1: ${JSON.stringify(name)} is the name of something secret, and events hold no secrets`] as const),
    ['SLUICE_STREAM_ATTRIBUTES', Array.from({ length: 58 }, (_, at) => `a${at}`).join(), 'there are 58 names, and events have room for 57'],
  ] as const)('%s=%s is a fault that says what is wrong', (name, value, why) => {
    expect(() => load({ [name]: value })).toThrow(`${name}: ${why}`);
  });

  it('a name that only begins like a secret is none', () => {
    expect(load({ SLUICE_STREAM_ATTRIBUTES: 'token_type,cookie_consent' }).streamAttributes).toEqual(['token_type', 'cookie_consent']);
  });
});
