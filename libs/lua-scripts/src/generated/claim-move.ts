// Generated from src/lua/claim-move.lua by `npm run generate`; do not edit.
import type { LuaScript } from '../lua-script.js';

export const claimMove: LuaScript = {
  name: 'claim-move',
  sha1: '46376720b795e3cd73ac1c251c1b5c81de05d3fc',
  keys: ['splits'],
  args: ['counter', 'step', 'node_id'],
  source: `local key = KEYS[1]
local counter = ARGV[1]
local step = ARGV[2]
local node_id = ARGV[3]
if redis.call('HEXISTS', key, counter) == 0 then return 0 end
local claim = step .. ':' .. counter
local holder = '@' .. node_id
if redis.call('HSETNX', key, claim, holder) == 1 then return 1 end
return redis.call('HGET', key, claim) == holder and 1 or 0`,
};
