--[[
Forgets one counter, whatever its algorithm.

KEYS[1]  group    hash of counters with one counting identity
KEYS[2]  counter  the key of its own that the counter has as a log; absent when that is the group's

ARGV[1]  field  text  the counter in the group

Reply: how many there were, an integer.
TTL: none is set; that of the group stays.
]]
local field = ARGV[1]

local function forget_field(key)
  local removed = redis.pcall('HDEL', key, field)
  -- Not a hash: a log, or damaged.
  if type(removed) == 'table' then removed = redis.call('UNLINK', key) end
  return removed
end

local function forget_key(key)
  return redis.call('UNLINK', key)
end

return forget_field(KEYS[1]) + (KEYS[2] and forget_key(KEYS[2]) or 0)
