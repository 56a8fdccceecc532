import { routeLabel } from './route-label.js';

describe('R93 the label of a route', () => {
  it.each([
    ['/v1/rules/:rule_id(^[^/:]+)::rollback', '/v1/rules/:rule_id:rollback'],
    ['/v1/rules/:rule_id/proposal::promote', '/v1/rules/:rule_id/proposal:promote'],
    ['/v1/keys::lookup', '/v1/keys:lookup'],
    ['/v1/rules/:rule_id', '/v1/rules/:rule_id'],
    ['/*', '/*'],
    [undefined, 'unmatched'],
  ])('%s: %s', (url, label) => {
    expect(routeLabel(url)).toBe(label);
  });
});
