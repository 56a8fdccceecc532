import { parseCheckRequest } from './check-request.js';

const GOOD = { domain: 'api', descriptors: [{ key: 'plan', value: 'free' }, { key: 'key_id', value: 'k1' }] };

function pointersOf(body: unknown): string[] {
  const parsed = parseCheckRequest(body);
  return parsed.ok ? [] : parsed.faults.map(({ pointer }) => pointer);
}

describe('R72 body of a check', () => {
  it('becomes attributes, cost and peek', () => {
    expect(parseCheckRequest(GOOD)).toMatchObject({ ok: true, request: { attributes: { domain: 'api', plan: 'free', key_id: 'k1' }, cost: 1, kind: 'check' } });
    expect(parseCheckRequest({ ...GOOD, cost: 0, peek: true })).toMatchObject({ ok: true, request: { cost: 0, kind: 'peek' } });
    expect(parseCheckRequest({ ...GOOD, cost: Number.MAX_SAFE_INTEGER }).ok).toBe(true);
    expect(parseCheckRequest({ ...GOOD, peek: false, reserve: true })).toMatchObject({ ok: true, request: { cost: 1, kind: 'reserve', ttlMs: undefined } });
    expect(parseCheckRequest({ ...GOOD, cost: 5, reserve: true, reserve_seconds: 1.005 })).toMatchObject({ ok: true, request: { cost: 5, kind: 'reserve', ttlMs: 1005 } });
  });

  it('takes descriptors of any name for what they are', () => {
    const odd = parseCheckRequest({ domain: 'api', descriptors: ['__proto__', 'constructor', 'toString', 'ключ'].map((key) => ({ key, value: key })) });
    if (!odd.ok) throw new Error('refused');
    expect(Object.keys(odd.request.attributes)).toEqual(['domain', '__proto__', 'constructor', 'toString', 'ключ']);
    expect(odd.request.attributes['plan']).toBeUndefined();
  });

  it.each<[string, unknown, string[]]>([
    ['no object', [], ['']],
    ['null', null, ['']],
    ['nothing in it', {}, ['/domain', '/descriptors']],
    ['an unknown field', { ...GOOD, hits: 1 }, ['/hits']],
    ['an unknown field of a descriptor', { ...GOOD, descriptors: [{ key: 'a', value: 'b', 'x/y': 1 }] }, ['/descriptors/0/x~1y']],
    ['an empty domain', { ...GOOD, domain: '' }, ['/domain']],
    ['a number as domain', { ...GOOD, domain: 1 }, ['/domain']],
    ['a long domain', { ...GOOD, domain: 'x'.repeat(129) }, ['/domain']],
    ['no descriptors', { ...GOOD, descriptors: [] }, ['/descriptors']],
    ['an object of descriptors', { ...GOOD, descriptors: { key: 'a', value: 'b' } }, ['/descriptors']],
    ['33 descriptors', { ...GOOD, descriptors: Array.from({ length: 33 }, (_, i) => ({ key: `k${i}`, value: '' })) }, ['/descriptors']],
    ['a repeated key', { ...GOOD, descriptors: [{ key: 'a', value: '1' }, { key: 'a', value: '2' }] }, ['/descriptors/1/key']],
    ['domain as a descriptor', { ...GOOD, descriptors: [{ key: 'domain', value: 'x' }] }, ['/descriptors/0/key']],
    ['an empty key', { ...GOOD, descriptors: [{ key: '', value: 'x' }] }, ['/descriptors/0/key']],
    ['a long key', { ...GOOD, descriptors: [{ key: 'k'.repeat(129), value: 'x' }] }, ['/descriptors/0/key']],
    ['a long value', { ...GOOD, descriptors: [{ key: 'k', value: 'x'.repeat(8193) }] }, ['/descriptors/0/value']],
    ['a value that is long in bytes', { ...GOOD, descriptors: [{ key: 'k', value: 'é'.repeat(4097) }] }, ['/descriptors/0/value']],
    ['half a surrogate pair', { ...GOOD, descriptors: [{ key: 'k\ud800', value: '\udc00' }] }, ['/descriptors/0/key', '/descriptors/0/value']],
    ['values that are no strings', { ...GOOD, descriptors: [{ key: 1, value: null }, 'x', null] }, ['/descriptors/0/key', '/descriptors/0/value', '/descriptors/1', '/descriptors/2']],
    ...[-1, 1.5, '5', null, true, 2 ** 53, Number.NaN].map((cost): [string, unknown, string[]] => [`a cost of ${String(cost)}`, { ...GOOD, cost }, ['/cost']]),
    ['peek as a string', { ...GOOD, peek: 'true' }, ['/peek']],
    ['reserve as a number', { ...GOOD, reserve: 1 }, ['/reserve']],
    ['a peek that is reserved', { ...GOOD, reserve: true, peek: true }, ['/reserve']],
    ['nothing that is reserved', { ...GOOD, reserve: true, cost: 0 }, ['/cost']],
    ['seconds without reserve', { ...GOOD, reserve_seconds: 5 }, ['/reserve_seconds']],
    ...[0, -1, 86_400.001, 0.0001, 1.0005, '5', null].map((seconds): [string, unknown, string[]] => [`${String(seconds)} seconds`, { ...GOOD, reserve: true, reserve_seconds: seconds }, ['/reserve_seconds']]),
    ['several faults at once', { domain: 1, descriptors: [{ key: 'a' }], cost: -1, x: 1 }, ['/x', '/domain', '/descriptors/0/value', '/cost']],
  ])('known failure 13 and its neighbours: refuses %s with a pointer', (_name, body, pointers) => {
    expect(pointersOf(body)).toEqual(pointers);
  });

  it('takes the largest that is allowed', () => {
    const descriptors = Array.from({ length: 32 }, (_, i) => ({ key: `${'k'.repeat(126)}${10 + i}`, value: 'x'.repeat(8192) }));
    expect(parseCheckRequest({ domain: 'd'.repeat(128), descriptors }).ok).toBe(true);
  });
});
