--[[
sliding log: take or peek, after an optional give-back, of one counter.

KEYS[1]  counter  list, include/codec-log-entry.lua

ARGV[1]  limit          number  permits per window
ARGV[2]  window_ms      number
ARGV[3]  need           number  least permits; more than the capacity is never granted
ARGV[4]  want           number  most permits; 0: a peek for need, which writes nothing
ARGV[5]  charge_denied  number  1: a denial counts too
ARGV[6]  back_amount    number  permits to give back first; absent: 0
ARGV[7]  back_bucket    number  the bucket that they were charged to
ARGV[8]  now            number  for tests, ms; absent: the clock of the store

Reply: { granted, remaining, retry_ms, reset_ms, bucket, bucket_ends_in_ms, now_ms, delay_ms }, all integers.
TTL: until the newest entry expires, and 1 s; at most 2 windows + 1 s.
]]
local key = KEYS[1]
local limit = tonumber(ARGV[1])
local window_ms = tonumber(ARGV[2])
local need = tonumber(ARGV[3])
local want = tonumber(ARGV[4])
local charge_denied = tonumber(ARGV[5])
local back_amount = tonumber(ARGV[6]) or 0
local back_bucket = tonumber(ARGV[7]) or 0
local now_override = tonumber(ARGV[8])
--- @include "numbers"
--- @include "clock"
--- @include "sliding-log"
--- @include "give-back"
local admit = true
--- @include "take"
