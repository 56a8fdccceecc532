--[[
fixed window: gives back permits that were charged to a bucket; those that come too late for it are dropped.

KEYS[1]  group  hash of counters with one counting identity

ARGV[1]  field       text  the counter in it, include/codec-fixed-window.lua
ARGV[2]  limit       number  permits per window
ARGV[3]  window_ms   number
ARGV[4]  calendar    text  '', or six ascending boundaries in ms, comma-separated, that hold the time
ARGV[5]  amount      number  permits to give back
ARGV[6]  charged_to  number  the bucket that they were charged to
ARGV[7]  now         number  for tests, ms; absent: the clock of the store

Reply: the permits given back, an integer.
       Of a calendar whose boundaries do not hold the time: { that time }, and nothing is written.
TTL: until the window ends, and 1 s; at most 2 windows + 1 s. Nothing given back: unchanged.
]]
local key = KEYS[1]
local field = ARGV[1]
local limit = tonumber(ARGV[2])
local window_ms = tonumber(ARGV[3])
local calendar = ARGV[4]
local amount = tonumber(ARGV[5])
local charged_to = tonumber(ARGV[6])
local now_override = tonumber(ARGV[7])
--- @include "numbers"
--- @include "clock"
--- @include "fixed-window"
--- @include "refund"
