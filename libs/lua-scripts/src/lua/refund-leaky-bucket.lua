--[[
leaky bucket: gives back permits that were charged to a bucket; those that come too late for it are dropped.

KEYS[1]  group  hash of counters with one counting identity

ARGV[1]  field       text  the counter in it, include/codec-bucket.lua
ARGV[2]  limit       number  permits per window
ARGV[3]  window_ms   number
ARGV[4]  burst       number  capacity
ARGV[5]  shape       number  1: a shaper, which grants need at most and tells a delay
ARGV[6]  amount      number  permits to give back
ARGV[7]  charged_to  number  the bucket that they were charged to
ARGV[8]  now         number  for tests, ms; absent: the clock of the store

Reply: the permits given back, an integer.
TTL: until the level has drained, and 1 s: at most the time that burst (with charge_denied twice that) takes, and 1 s. Nothing given back: unchanged.
]]
local key = KEYS[1]
local field = ARGV[1]
local limit = tonumber(ARGV[2])
local window_ms = tonumber(ARGV[3])
local burst = tonumber(ARGV[4])
local shape = tonumber(ARGV[5])
local amount = tonumber(ARGV[6])
local charged_to = tonumber(ARGV[7])
local now_override = tonumber(ARGV[8])
--- @include "numbers"
--- @include "mul-div"
--- @include "clock"
--- @include "bucket"
--- @include "refund"
