// Generated from src/lua/heartbeat.lua by `npm run generate`; do not edit.
import type { LuaScript } from '../lua-script.js';

export const heartbeat: LuaScript = {
  name: 'heartbeat',
  sha1: '0c250051a659573159516e8ce4e89a7736e1430d',
  keys: ['nodes'],
  args: ['node_id', 'ttl_ms', 'max_nodes', 'now'],
  source: `local key = KEYS[1]
local node_id = ARGV[1]
local ttl_ms = tonumber(ARGV[2])
local max_nodes = tonumber(ARGV[3])
local now_override = tonumber(ARGV[4])
local now = now_override
if not now then
local time = redis.call('TIME')
now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
local kind = redis.call('TYPE', key).ok
if kind ~= 'zset' and kind ~= 'none' then redis.call('DEL', key) end
if ttl_ms == 0 then
redis.call('ZREM', key, node_id)
else
local ahead = redis.call('ZRANGEBYSCORE', key, string.format('(%.0f', now), '+inf', 'LIMIT', '0', '1000')
for i = 1, #ahead do
redis.call('ZADD', key, string.format('%.0f', now), ahead[i])
end
redis.call('ZADD', key, string.format('%.0f', now), node_id)
redis.call('ZREMRANGEBYSCORE', key, '-inf', string.format('%.0f', now - ttl_ms))
redis.call('ZREMRANGEBYRANK', key, '0', string.format('%.0f', -max_nodes - 1))
redis.call('PEXPIRE', key, string.format('%.0f', ttl_ms + 1000))
end
return { redis.call('ZCARD', key), now }`,
};
