// Generated from src/lua/claim.lua by `npm run generate`; do not edit.
import type { LuaScript } from '../lua-script.js';

export const claim: LuaScript = {
  name: 'claim',
  sha1: '3ab11dd078a7483208fe2829c74580b78adbb0df',
  keys: ['reservation'],
  args: ['claimant', 'keep_ms'],
  source: `local key = KEYS[1]
local claimant = ARGV[1]
local keep_ms = tonumber(ARGV[2])
if redis.call('PTTL', key) == -1 then redis.call('PEXPIRE', key, string.format('%d', keep_ms)) end
local text = redis.pcall('GET', key)
if type(text) ~= 'string' then return false end
local holder, record = string.match(text, '^([%w_-]*):(.*)$')
if holder == claimant then return record end
if holder ~= '' then return false end
redis.call('SET', key, claimant .. ':' .. record, 'PX', string.format('%d', keep_ms))
return record`,
};
