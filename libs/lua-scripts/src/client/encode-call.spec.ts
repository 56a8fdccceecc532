import { quota } from '@sluice/algorithms';
import { takeCommand } from '../commands/take-command.js';
import { encodeCall } from './encode-call.js';

const perMinute = quota({ limit: 100, windowMs: 60_000 });

/** The bulk strings of one command, read as the protocol says. */
function decode(text: string): string[] {
  const bytes = Buffer.from(text);
  let at = bytes.indexOf('\r\n') + 2;
  const count = Number(bytes.toString('utf8', 1, at - 2));
  const parts = Array.from({ length: count }, () => {
    const end = bytes.indexOf('\r\n', at);
    const length = Number(bytes.toString('utf8', at + 1, end));
    const part = bytes.toString('utf8', end + 2, end + 2 + length);
    expect(bytes.toString('utf8', end + 2 + length, end + 4 + length)).toBe('\r\n');
    at = end + 4 + length;
    return part;
  });
  expect(at).toBe(bytes.length);
  return parts;
}

describe('encodeCall', () => {
  it.each([
    ['a take', takeCommand('s{abc}code|caller', perMinute, 1, 1)],
    ['the same once more, by its shared arguments', takeCommand('s{abc}code|other', perMinute, 1, 1)],
    ['a take that brings permits back', takeCommand('s{abc}code|caller', perMinute, 2, 5_000, { giveBack: { amount: 3, bucket: 29_000_000 } })],
    ['a log, which is a key of its own', takeCommand('s{abc}code|caller', quota({ algorithm: 'sliding_log', limit: 5, windowMs: 1_000 }), 1, 1)],
    ['a name that is long', takeCommand(`s{abc}code|${'c'.repeat(200)}`, perMinute, 1, 1)],
    ['a key that is not ASCII', takeCommand('s{é}code|日本😀', perMinute, 1, 1)],
  ])('says what the command says: %s', (_, command) => {
    const { script, keys, args } = command;
    expect(decode(encodeCall('evalsha', command))).toEqual(['evalsha', script.sha1, String(keys.length), ...keys, ...args]);
    expect(decode(encodeCall('eval', command))).toEqual(['eval', script.source, String(keys.length), ...keys, ...args]);
  });

  it('counts several keys, and none', () => {
    const { script, decode: decodeReply } = takeCommand('a', perMinute, 1, 1);
    const command = { script, args: ['x', ''], decode: decodeReply };
    expect(decode(encodeCall('evalsha', { ...command, keys: ['a', 'b'] }))).toEqual(['evalsha', command.script.sha1, '2', 'a', 'b', 'x', '']);
    expect(decode(encodeCall('evalsha', { ...command, keys: [] }))).toEqual(['evalsha', command.script.sha1, '0', 'x', '']);
  });
});
