import { codingFor } from './content-coding.js';

describe('RFC 9110 section 12.5.3: Accept-Encoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['gzip ; q=0.2 , br ; q=0.8', 'br'],
    ['gzip;q=0, br;q=0', 'identity'],
    ['br;q=0, *', 'gzip'],
    ['*', 'br'],
    ['*;q=0.5, gzip;q=0.9', 'gzip'],
    ['*;q=0', 'identity'],
    ['identity', 'identity'],
    ['identity, gzip;q=0.5', 'identity'],
    ['identity;q=0.1, gzip;q=0.5', 'gzip'],
    ['identity;q=0, gzip', 'gzip'],
    ['gzip;q=0.001', 'gzip'],
    ['deflate', 'identity'],
    ['compress;q=0.5, zstd;q=1.0', 'identity'],
    ['gzip;q=2', 'identity'],
    ['gzip;q=-1', 'identity'],
    ['gzip;q=0.1234', 'identity'],
    ['gzip;level=9', 'identity'],
    [',,gzip,,', 'gzip'],
    ['identity;q=0', 'identity'],
  ] as const)('%s: %s', (field, coding) => {
    expect(codingFor(field)).toBe(coding);
  });
});
