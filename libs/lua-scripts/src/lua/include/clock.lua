-- in:  now_override  nil, or the time that a test sets
-- out: now           ms since the epoch: the store's clock (R6)
local now = now_override
if not now then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
