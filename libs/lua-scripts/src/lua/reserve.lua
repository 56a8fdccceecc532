--[[
Keeps the record of a reservation until it is claimed or expires.

KEYS[1]  reservation  string: the claimant (none yet), ':', the record

ARGV[1]  record  text
ARGV[2]  ttl_ms  number

Reply: 1.
TTL: ttl_ms, set with the value.
]]
local key = KEYS[1]
local record = ARGV[1]
local ttl_ms = tonumber(ARGV[2])
redis.call('SET', key, ':' .. record, 'PX', string.format('%d', ttl_ms))
return 1
