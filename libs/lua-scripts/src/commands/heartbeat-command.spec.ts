import { ScriptReplyError } from '../script-command.js';
import { heartbeatCommand } from './heartbeat-command.js';

describe('heartbeatCommand', () => {
  it('names what it sends as the script does', () => {
    const { script, keys, args } = heartbeatCommand('s{nodes}', 'a', 5000, { maxNodes: 9, nowMs: 7 });
    expect(keys).toEqual(['s{nodes}', 's{nodes}o']);
    expect(Object.fromEntries(script.args.map((name, i) => [name, args[i]]))).toEqual({ node_id: 'a', ttl_ms: '5000', max_nodes: '9', now: '7' });
  });

  it('reads what a later version adds, and takes anything else for a fault', () => {
    const { decode } = heartbeatCommand('k', 'a', 5000);
    expect(decode([3, 9, 0])).toEqual({ nodes: 3, nowMs: 9, place: 0 });
    expect(decode([3, 9, 2, 'more'])).toEqual({ nodes: 3, nowMs: 9, place: 2 });
    for (const reply of [null, 'OK', [], [1], [1, 2], ['1', 2, 0], [-1, 2, 0], [1.5, 2, 0]]) expect(() => decode(reply)).toThrow(ScriptReplyError);
  });

  it.each([-1, 0.5, NaN])('refuses a ttl of %d', (ttlMs) => {
    expect(() => heartbeatCommand('k', 'a', ttlMs)).toThrow(RangeError);
  });
});
