import { ClickHouseError } from '@clickhouse/client';
import { QueryTooLarge, StoreUnavailable } from '../store-faults.js';
import { clickHouseFault, isAccessFault, isMissingTable } from './clickhouse-faults.js';

const said = (code: number, type: string, message = 'key_3f2a is quoted here'): ClickHouseError => new ClickHouseError({ code: String(code), type, message });

describe('R81 what ClickHouse refuses', () => {
  it.each([
    [158, 'TOO_MANY_ROWS'],
    [159, 'TIMEOUT_EXCEEDED'],
    [160, 'TOO_SLOW'],
    [191, 'SET_SIZE_LIMIT_EXCEEDED'],
    [241, 'MEMORY_LIMIT_EXCEEDED'],
    [307, 'TOO_MANY_BYTES'],
    [396, 'TOO_MANY_ROWS_OR_BYTES'],
  ])('%i %s is too large for a query, and may pass later for a write', (code, type) => {
    const fault = clickHouseFault(said(code, type), 'query', 'h/db');
    expect(fault).toBeInstanceOf(QueryTooLarge);
    expect(fault.message).toMatch(/ask for a shorter time range/);
    expect(clickHouseFault(said(code, type), 'write', 'h/db')).toBeInstanceOf(StoreUnavailable);
  });

  it.each(['(total) memory limit exceeded: would use 9 GiB', 'User memory limit exceeded'])('memory that others use up may be there later: %s', (message) => {
    expect(clickHouseFault(said(241, 'MEMORY_LIMIT_EXCEEDED', message), 'query', 'h/db')).toBeInstanceOf(StoreUnavailable);
  });

  it.each([
    [202, 'TOO_MANY_SIMULTANEOUS_QUERIES'],
    [242, 'TABLE_IS_READ_ONLY'],
    [243, 'NOT_ENOUGH_SPACE'],
    [252, 'TOO_MANY_PARTS'],
    [999, 'KEEPER_EXCEPTION'],
  ])('%i %s may pass later', (code, type) => {
    const fault = clickHouseFault(said(code, type), 'query', 'h/db');
    expect(fault).toBeInstanceOf(StoreUnavailable);
    expect(fault.message).toBe(`ClickHouse at h/db refused (code ${String(code)}, ${type})`);
  });

  it('tells credentials and grants, and tables that are gone, from the rest', () => {
    expect(isAccessFault(clickHouseFault(said(516, 'AUTHENTICATION_FAILED'), 'query', 'h/db'))).toBe(true);
    expect(isAccessFault(clickHouseFault(said(497, 'ACCESS_DENIED'), 'write', 'h/db'))).toBe(true);
    expect(isAccessFault(clickHouseFault(said(60, 'UNKNOWN_TABLE'), 'write', 'h/db'))).toBe(false);
    expect(isMissingTable(clickHouseFault(said(60, 'UNKNOWN_TABLE'), 'write', 'h/db'))).toBe(true);
    expect(isMissingTable(clickHouseFault(said(252, 'TOO_MANY_PARTS'), 'write', 'h/db'))).toBe(false);
  });

  it('never quotes what the server or anything in its place wrote', () => {
    expect(clickHouseFault(new Error('<html>502 by proxy, user u password p</html>'), 'query', 'h/db').message).toBe('ClickHouse at h/db cannot be reached or does not answer (not the answer of a ClickHouse)');
    expect(clickHouseFault(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), 'query', 'h/db').message).toMatch(/\(ECONNREFUSED\)$/);
    expect(clickHouseFault(new Error('Timeout error.'), 'write', 'h/db').message).toMatch(/\(Timeout error\)$/);
    for (const code of [27, 62, 241, 457, 516]) expect(clickHouseFault(said(code, 'X_Y_Z'), 'write', 'h/db').message).not.toMatch(/key_3f2a/);
  });
});
