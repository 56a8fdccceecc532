--[[
sliding counter: says what is in use by the sub-bucket that it was charged to; writes nothing.

KEYS[1]  group  hash of counters with one counting identity

ARGV[1]  field        text    the counter in it, include/codec-sliding-counter.lua
ARGV[2]  limit        number  permits per window
ARGV[3]  window_ms    number
ARGV[4]  sub_buckets  number  k; window_ms is divisible by it
ARGV[5]  now          number  for tests, ms; absent: the clock of the store

Reply: { now_ms, newest, counts… }, all integers: the k + 1 counts of the sub-buckets up to the newest, oldest first.
TTL: unchanged.
]]
local key = KEYS[1]
local field = ARGV[1]
local limit = tonumber(ARGV[2])
local window_ms = tonumber(ARGV[3])
local sub_buckets = tonumber(ARGV[4])
local now_override = tonumber(ARGV[5])
--- @include "numbers"
--- @include "mul-div"
--- @include "clock"
--- @include "sliding-counter"
local reply = { now, newest }
for i = 1, k + 1 do reply[i + 2] = counts[i] end
return reply
