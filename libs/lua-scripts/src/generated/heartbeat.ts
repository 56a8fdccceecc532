// Generated from src/lua/heartbeat.lua by `npm run generate`; do not edit.
import type { LuaScript } from '../lua-script.js';

export const heartbeat: LuaScript = {
  name: 'heartbeat',
  sha1: '525b840ac02c7f0831a0b96b0efb2cf3a6ca36fc',
  keys: ['nodes', 'order'],
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
local function order_of(key, gone)
local kind = redis.call('TYPE', key).ok
if kind ~= 'zset' and kind ~= 'none' then redis.call('DEL', key) end
if #gone > 0 then redis.call('ZREM', key, unpack(gone)) end
if ttl_ms == 0 then
redis.call('ZREM', key, node_id)
return 0
end
redis.call('ZADD', key, '0', node_id)
redis.call('PEXPIRE', key, string.format('%.0f', ttl_ms + 1000))
return redis.call('ZRANK', key, node_id)
end
local gone = {}
if ttl_ms == 0 then
redis.call('ZREM', key, node_id)
else
local ahead = redis.call('ZRANGEBYSCORE', key, string.format('(%.0f', now), '+inf', 'LIMIT', '0', '1000')
for i = 1, #ahead do
redis.call('ZADD', key, string.format('%.0f', now), ahead[i])
end
redis.call('ZADD', key, string.format('%.0f', now), node_id)
gone = redis.call('ZRANGEBYSCORE', key, '-inf', string.format('%.0f', now - ttl_ms), 'LIMIT', '0', '1000')
redis.call('ZREMRANGEBYSCORE', key, '-inf', string.format('%.0f', now - ttl_ms))
redis.call('ZREMRANGEBYRANK', key, '0', string.format('%.0f', -max_nodes - 1))
redis.call('PEXPIRE', key, string.format('%.0f', ttl_ms + 1000))
end
return { redis.call('ZCARD', key), now, order_of(KEYS[2], gone) }`,
};
