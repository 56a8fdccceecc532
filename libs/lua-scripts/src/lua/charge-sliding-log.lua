--[[
sliding log: charges an amount to one counter, beyond its limit too (R14).

KEYS[1]  counter  list, include/codec-log-entry.lua

ARGV[1]  limit           number  permits per window
ARGV[2]  window_ms       number
ARGV[3]  amount          number  permits
ARGV[4]  only_if_absent  number  1: only if nothing is in use
ARGV[5]  now             number  for tests, ms; absent: the clock of the store

Reply: { charged, remaining, retry_ms, reset_ms, bucket, bucket_ends_in_ms, now_ms, delay_ms }, all integers.
TTL: until the newest entry expires, and 1 s; at most 2 windows + 1 s. Nothing charged: unchanged.
]]
local key = KEYS[1]
local limit = tonumber(ARGV[1])
local window_ms = tonumber(ARGV[2])
local amount = tonumber(ARGV[3])
local only_if_absent = tonumber(ARGV[4])
local now_override = tonumber(ARGV[5])
--- @include "numbers"
--- @include "clock"
--- @include "sliding-log"
-- Windows end, so their debt needs no other bound.
local ceiling = MAX
--- @include "charge"
