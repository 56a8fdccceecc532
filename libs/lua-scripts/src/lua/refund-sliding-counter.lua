--[[
sliding counter: gives back permits that were charged to a bucket; those that come too late for it are dropped.

KEYS[1]  counter  string, include/codec-sliding-counter.lua

ARGV[1]  limit        number  permits per window
ARGV[2]  window_ms    number
ARGV[3]  sub_buckets  number  k; window_ms is divisible by it
ARGV[4]  amount       number  permits to give back
ARGV[5]  charged_to   number  the bucket that they were charged to
ARGV[6]  now          number  for tests, ms; absent: the clock of the store

Reply: the permits given back, an integer.
TTL: until the newest count has decayed, and 1 s; at most 2 windows + 1 s. Nothing given back: unchanged.
]]
local key = KEYS[1]
local limit = tonumber(ARGV[1])
local window_ms = tonumber(ARGV[2])
local sub_buckets = tonumber(ARGV[3])
local amount = tonumber(ARGV[4])
local charged_to = tonumber(ARGV[5])
local now_override = tonumber(ARGV[6])
--- @include "numbers"
--- @include "mul-div"
--- @include "clock"
--- @include "sliding-counter"
--- @include "refund"
