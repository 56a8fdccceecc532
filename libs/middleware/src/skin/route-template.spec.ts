import { compileSnapshot } from '@sluice/rules';
import { routeTemplate, ruleMethod } from './route-template.js';

describe('R75 routes of frameworks in the form of rules', () => {
  it.each([
    ['/', '/'],
    ['/items', '/items'],
    ['/items/:id', '/items/{id}'],
    ['/items/:id/parts/:part_id/', '/items/{id}/parts/{part_id}/'],
    ['/v1.0/~me/a-b', '/v1.0/~me/a-b'],
    ['/:from-:to', undefined],
    ['/files/*', '/files/*'],
    ['/files/*rest', '/files/*'],
    ['/files/:id{/*rest}', '/files/{id}/*'],
    ['/files/{*rest}', '/files/*'],
    ['/{*rest}', '/*'],
    ['{*rest}', '/*'],
    ['*rest', '/*'],
    ['/*a/b', undefined],
    ['/a*', undefined],
    ['/a{*rest}', undefined],
    ['/a{/:b}/*c', undefined],
    ['/x{/:y}', undefined],
    ['/items/:id(\\d+)', undefined],
    ['/items/:id?', undefined],
    ['/checks::batch', undefined],
    ['/a+', undefined],
    ['*', '/*'],
  ])('%s is %s', (route, template) => {
    expect(routeTemplate(route)).toBe(template);
    // The second time from memory.
    expect(routeTemplate(route)).toBe(template);
  });

  it('is what the same rule matches, by its template and by a path', () => {
    const index = compileSnapshot({ version: 1, plans: [], overrides: [], rules: [{ rule_id: 'r', version: 1, endpoint: 'GET /items/{item}', limit: 1, window_seconds: 1, count_by: ['ip'] }] });
    for (const path of [routeTemplate('/items/:id'), '/items/7']) expect(index.match({ endpoint: `${ruleMethod('HEAD')} ${path}`, ip: '192.0.2.1' }, 0)).toHaveLength(1);
    expect(index.match({ endpoint: `${ruleMethod('POST')} /items/7`, ip: '192.0.2.1' }, 0)).toHaveLength(0);
  });
});
