--[[
sliding log: gives back permits that were charged to a bucket; those that come too late for it are dropped.

KEYS[1]  counter  list, include/codec-log-entry.lua

ARGV[1]  limit       number  permits per window
ARGV[2]  window_ms   number
ARGV[3]  amount      number  permits to give back
ARGV[4]  charged_to  number  the bucket that they were charged to
ARGV[5]  now         number  for tests, ms; absent: the clock of the store

Reply: the permits given back, an integer.
TTL: until the newest entry expires, and 1 s; at most 2 windows + 1 s. Nothing given back: unchanged.
]]
local key = KEYS[1]
local limit = tonumber(ARGV[1])
local window_ms = tonumber(ARGV[2])
local amount = tonumber(ARGV[3])
local charged_to = tonumber(ARGV[4])
local now_override = tonumber(ARGV[5])
--- @include "numbers"
--- @include "clock"
--- @include "sliding-log"
--- @include "refund"
