--[[
sliding counter: gives back permits that were charged to a bucket; those that come too late for it are dropped.

KEYS[1]  group  hash of counters with one counting identity

ARGV[1]  field        text  the counter in it, include/codec-sliding-counter.lua
ARGV[2]  limit        number  permits per window
ARGV[3]  window_ms    number
ARGV[4]  sub_buckets  number  k; window_ms is divisible by it
ARGV[5]  amount       number  permits to give back
ARGV[6]  charged_to   number  the bucket that they were charged to
ARGV[7]  now          number  for tests, ms; absent: the clock of the store

Reply: the permits given back, an integer.
TTL: until the newest count has decayed, and 1 s; at most 2 windows + 1 s. Nothing given back: unchanged.
]]
local key = KEYS[1]
local field = ARGV[1]
local limit = tonumber(ARGV[2])
local window_ms = tonumber(ARGV[3])
local sub_buckets = tonumber(ARGV[4])
local amount = tonumber(ARGV[5])
local charged_to = tonumber(ARGV[6])
local now_override = tonumber(ARGV[7])
--- @include "numbers"
--- @include "mul-div"
--- @include "clock"
--- @include "sliding-counter"
--- @include "refund"
