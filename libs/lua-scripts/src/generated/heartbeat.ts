// Generated from src/lua/heartbeat.lua by `npm run generate`; do not edit.
import type { LuaScript } from '../lua-script.js';

export const heartbeat: LuaScript = {
  name: 'heartbeat',
  sha1: 'f59c570cf0d06958f9e8f7e82dea2a1b484e17e9',
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
local function order_of(key, gone, nodes, members)
local kind = redis.call('TYPE', key).ok
if kind ~= 'zset' and kind ~= 'none' then redis.call('DEL', key) end
if #gone > 0 then redis.call('ZREM', key, unpack(gone)) end
if ttl_ms == 0 then
redis.call('ZREM', key, node_id)
return 0
end
redis.call('ZADD', key, '0', node_id)
if redis.call('ZCARD', key) ~= nodes then
redis.call('DEL', key)
for _, member in ipairs(members()) do redis.call('ZADD', key, '0', member) end
end
redis.call('PEXPIRE', key, string.format('%.0f', ttl_ms + 1000))
return redis.call('ZLEXCOUNT', key, '-', '(' .. node_id)
end
local gone = {}
if ttl_ms == 0 then
redis.call('ZREM', key, node_id)
else
local ahead = redis.call('ZRANGEBYSCORE', key, string.format('(%.0f', now), '+inf', 'LIMIT', '0', '1000')
for i = 1, #ahead do
redis.call('ZADD', key, string.format('%.0f', now), ahead[i])
end
redis.call('ZREM', key, node_id)
gone = redis.call('ZRANGEBYSCORE', key, '-inf', string.format('%.0f', now - ttl_ms), 'LIMIT', '0', '1000')
redis.call('ZREMRANGEBYSCORE', key, '-inf', string.format('%.0f', now - ttl_ms))
local beyond = redis.call('ZCARD', key) - (max_nodes - 1)
if beyond > 0 then
local oldest = redis.call('ZRANGE', key, '0', string.format('%.0f', math.min(beyond, 1000) - 1))
for i = 1, #oldest do gone[#gone + 1] = oldest[i] end
redis.call('ZREMRANGEBYRANK', key, '0', string.format('%.0f', beyond - 1))
end
redis.call('ZADD', key, string.format('%.0f', now), node_id)
redis.call('PEXPIRE', key, string.format('%.0f', ttl_ms + 1000))
end
local nodes = redis.call('ZCARD', key)
local place = order_of(KEYS[2], gone, nodes, function() return redis.call('ZRANGE', key, '0', '-1') end)
return { nodes, now, place }`,
};
