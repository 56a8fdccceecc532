// Generated from src/lua/claim-move.lua by `npm run generate`; do not edit.
import type { LuaScript } from '../lua-script.js';

export const claimMove: LuaScript = {
  name: 'claim-move',
  sha1: 'f72761dd7521e87d96996221d19dd0b4177c1a1e',
  keys: ['splits'],
  args: ['counter', 'step', 'node_id'],
  source: `local key = KEYS[1]
local counter = ARGV[1]
local step = ARGV[2]
local node_id = ARGV[3]
if redis.call('HEXISTS', key, counter) == 0 then return 0 end
local claim = step .. ':' .. counter
if redis.call('HSETNX', key, claim, node_id) == 1 then return 1 end
return redis.call('HGET', key, claim) == node_id and 1 or 0`,
};
