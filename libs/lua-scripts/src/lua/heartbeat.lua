--[[
One beat of a node: it was seen now, or it leaves. Nodes that were not seen for `ttl_ms` are forgotten.

KEYS[1]  nodes  sorted set: node ids by when they were last seen, ms by the clock of the store
KEYS[2]  order  sorted set: the same node ids by name alone

ARGV[1]  node_id    text
ARGV[2]  ttl_ms     number  how long a node counts after a beat; 0: this one leaves
ARGV[3]  max_nodes  number  beyond it those that were seen longest ago go
ARGV[4]  now        number  for tests, ms; absent: the clock of the store

Reply: { nodes, now_ms, place }: how many count, this one included unless it leaves, and how many of them come before it by name; integers.
TTL: ttl_ms and 1 s from the last beat, both. Who leaves sets none: the sets are gone with their last node.
]]
local key = KEYS[1]
local node_id = ARGV[1]
local ttl_ms = tonumber(ARGV[2])
local max_nodes = tonumber(ARGV[3])
local now_override = tonumber(ARGV[4])
--- @include "clock"
-- A key of another type counts as absent and is replaced.
local kind = redis.call('TYPE', key).ok
if kind ~= 'zset' and kind ~= 'none' then redis.call('DEL', key) end

-- Brings the order to what the nodes are: `gone` of them have left, as far as they are told. When that is not all, or one of the two
-- sets was lost, it is made anew.
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
  -- Seen in the future: the clock has stepped back, at a failover say. They count from now on, so that the dead among them go in time.
  local ahead = redis.call('ZRANGEBYSCORE', key, string.format('(%.0f', now), '+inf', 'LIMIT', '0', '1000')
  for i = 1, #ahead do
    redis.call('ZADD', key, string.format('%.0f', now), ahead[i])
  end
  redis.call('ZREM', key, node_id)
  gone = redis.call('ZRANGEBYSCORE', key, '-inf', string.format('%.0f', now - ttl_ms), 'LIMIT', '0', '1000')
  redis.call('ZREMRANGEBYSCORE', key, '-inf', string.format('%.0f', now - ttl_ms))
  -- Room for this one, which is never the one to go.
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
return { nodes, now, place }
