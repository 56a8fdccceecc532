--[[
token bucket: take or peek, after an optional give-back, of one counter.

KEYS[1]  group  hash of counters with one counting identity

ARGV[1]  field          text  the counter in it, include/codec-bucket.lua
ARGV[2]  limit          number  permits per window
ARGV[3]  window_ms      number
ARGV[4]  burst          number  capacity
ARGV[5]  need           number  least permits; more than the capacity is never granted
ARGV[6]  want           number  most permits; 0: a peek for need, which writes nothing
ARGV[7]  charge_denied  number  1: a denial counts too
ARGV[8]  back_amount    number  permits to give back first; absent: 0
ARGV[9]  back_bucket    number  the bucket that they were charged to
ARGV[10] now            number  for tests, ms; absent: the clock of the store

Reply: { granted, remaining, retry_ms, reset_ms, bucket, bucket_ends_in_ms, now_ms, delay_ms }, all integers.
TTL: until the level has drained, and 1 s: at most the time that burst (with charge_denied twice that) takes, and 1 s.
]]
local key = KEYS[1]
local field = ARGV[1]
local limit = tonumber(ARGV[2])
local window_ms = tonumber(ARGV[3])
local burst = tonumber(ARGV[4])
local need = tonumber(ARGV[5])
local want = tonumber(ARGV[6])
local charge_denied = tonumber(ARGV[7])
local back_amount = tonumber(ARGV[8]) or 0
local back_bucket = tonumber(ARGV[9]) or 0
local now_override = tonumber(ARGV[10])
local shape = 0
--- @include "numbers"
--- @include "mul-div"
--- @include "clock"
--- @include "bucket"
--- @include "give-back"
local admit = true
--- @include "take"
