// Generated from src/lua/reset.lua by `npm run generate`; do not edit.
import type { LuaScript } from '../lua-script.js';

export const reset: LuaScript = {
  name: 'reset',
  sha1: 'b3449498a9d20fd44ec4c6806dabf18081d39f30',
  keys: ['group', 'counter'],
  args: ['field'],
  source: `local field = ARGV[1]
local function forget_field(key)
local removed = redis.pcall('HDEL', key, field)
if type(removed) == 'table' then removed = redis.call('UNLINK', key) end
return removed
end
local function forget_key(key)
return redis.call('UNLINK', key)
end
return forget_field(KEYS[1]) + (KEYS[2] and forget_key(KEYS[2]) or 0)`,
};
