import { clickHouseAddress } from './clickhouse-address.js';

describe('R81 the address of a ClickHouse', () => {
  it.each([
    ['http://h:8123', { origin: 'http://h:8123', host: 'h:8123', username: 'default', password: '', database: 'default' }],
    ['https://u:p%40%2Fss@h:8443/sluice', { origin: 'https://h:8443', host: 'h:8443', username: 'u', password: 'p@/ss', database: 'sluice' }],
    ['http://u@h/we%60ird', { origin: 'http://h', host: 'h', username: 'u', password: '', database: 'we`ird' }],
  ])('%s', (text, address) => expect(clickHouseAddress(text)).toEqual(address));

  it('that cannot be read is told without being shown', () => {
    expect(() => clickHouseAddress('http://u:hush%zz@h:8123/db')).toThrow('SLUICE_CLICKHOUSE_URL has a % in its user, password or database that encodes no character: write %25 for the sign itself');
  });
});
