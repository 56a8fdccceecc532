import { Socket } from 'node:net';
import { type Asker, askerAt } from './asker.js';
import { type AccessRules, mayAsk } from './may-ask.js';

const NOBODY: Asker = { authorization: undefined, remoteAddress: undefined, certified: false, viaSocket: false };
const NONE: AccessRules = { tokens: undefined, networks: undefined, certificates: false };

describe('R77 who may ask', () => {
  it('never whoever has no address, since the connection is gone', () => {
    for (const rules of [NONE, { ...NONE, tokens: ['a-token'] }, { ...NONE, networks: ['10.0.0.0/8'] }, { ...NONE, certificates: true }]) expect(mayAsk(rules)(NOBODY)).toBe(false);
  });

  it('a connection that is gone looks like one over the Unix socket, and is none', () => {
    expect(askerAt(new Socket(), undefined)).toEqual(NOBODY);
  });

  it.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])('this machine, %s, only where nothing is set', (remoteAddress) => {
    expect(mayAsk(NONE)({ ...NOBODY, remoteAddress })).toBe(true);
    expect(mayAsk({ ...NONE, tokens: ['a-token'] })({ ...NOBODY, remoteAddress })).toBe(false);
    expect(mayAsk({ ...NONE, networks: ['10.0.0.0/8'] })({ ...NOBODY, remoteAddress })).toBe(false);
    expect(mayAsk({ ...NONE, certificates: true })({ ...NOBODY, remoteAddress })).toBe(false);
  });

  it('networks of both families, however the address is written', () => {
    const may = mayAsk({ ...NONE, networks: ['10.1.0.0/16', 'fd00::/8'] });
    for (const remoteAddress of ['10.1.2.3', '::ffff:10.1.2.3', 'fd12::1']) expect([remoteAddress, may({ ...NOBODY, remoteAddress })]).toEqual([remoteAddress, true]);
    for (const remoteAddress of ['10.2.0.1', '::ffff:10.2.0.1', 'fe80::1', '']) expect([remoteAddress, may({ ...NOBODY, remoteAddress })]).toEqual([remoteAddress, false]);
    // More peers than are remembered change nothing.
    for (let at = 0; at < 3_000; at += 1) expect(may({ ...NOBODY, remoteAddress: `11.0.${at >> 8}.${at & 255}` })).toBe(false);
    expect(may({ ...NOBODY, remoteAddress: '10.1.2.3' })).toBe(true);
    expect(() => mayAsk({ ...NONE, networks: ['0.0.0.0/0'] })).toThrow(RangeError);
  });

  it('a certificate only where there is a CA to sign it', () => {
    expect(mayAsk({ ...NONE, tokens: ['a-token'] })({ ...NOBODY, certified: true, remoteAddress: '9.9.9.9' })).toBe(false);
    expect(mayAsk({ ...NONE, certificates: true })({ ...NOBODY, certified: true, remoteAddress: '9.9.9.9' })).toBe(true);
  });
});
