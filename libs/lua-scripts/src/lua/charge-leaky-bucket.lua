--[[
leaky bucket: charges an amount to one counter, beyond its limit too (R14).

KEYS[1]  group  hash of counters with one counting identity

ARGV[1]  field           text    the counter in it, include/codec-bucket.lua
ARGV[2]  limit           number  permits per window
ARGV[3]  window_ms       number
ARGV[4]  burst           number  capacity
ARGV[5]  shape           number  1: a shaper
ARGV[6]  amount          number  permits
ARGV[7]  only_if_absent  number  1: only if nothing is in use
ARGV[8]  now             number  for tests, ms; absent: the clock of the store

Reply: { charged, remaining, retry_ms, reset_ms, bucket, bucket_ends_in_ms, now_ms, delay_ms }, all integers.
TTL: until the level has drained, and 1 s: at most the time that twice the burst takes, and 1 s. Nothing charged: unchanged.
]]
local key = KEYS[1]
local field = ARGV[1]
local limit = tonumber(ARGV[2])
local window_ms = tonumber(ARGV[3])
local burst = tonumber(ARGV[4])
local shape = tonumber(ARGV[5])
local amount = tonumber(ARGV[6])
local only_if_absent = tonumber(ARGV[7])
local now_override = tonumber(ARGV[8])
--- @include "numbers"
--- @include "mul-div"
--- @include "clock"
--- @include "bucket"
--- @include "twice-capacity"
--- @include "charge"
