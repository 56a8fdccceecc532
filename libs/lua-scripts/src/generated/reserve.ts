// Generated from src/lua/reserve.lua by `npm run generate`; do not edit.
import type { LuaScript } from '../lua-script.js';

export const reserve: LuaScript = {
  name: 'reserve',
  sha1: 'cfd071ec5a057daf6172ed994b81f4478a92bfb3',
  keys: ['reservation'],
  args: ['record', 'ttl_ms'],
  source: `local key = KEYS[1]
local record = ARGV[1]
local ttl_ms = tonumber(ARGV[2])
redis.call('SET', key, ':' .. record, 'PX', string.format('%d', ttl_ms))
return 1`,
};
