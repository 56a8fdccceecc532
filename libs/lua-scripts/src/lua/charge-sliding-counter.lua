--[[
sliding counter: charges an amount to one counter, beyond its limit too (R14).

KEYS[1]  group  hash of counters with one counting identity

ARGV[1]  field           text    the counter in it, include/codec-sliding-counter.lua
ARGV[2]  limit           number  permits per window
ARGV[3]  window_ms       number
ARGV[4]  sub_buckets     number  k; window_ms is divisible by it
ARGV[5]  amount          number  permits
ARGV[6]  only_if_absent  number  1: only if nothing is in use
ARGV[7]  now             number  for tests, ms; absent or '': the clock of the store
ARGV[8]  charged_to      number  an earlier sub-bucket; absent: the newest. One that counts no longer is charged nothing

Reply: { charged, remaining, retry_ms, reset_ms, bucket, bucket_ends_in_ms, now_ms, delay_ms }, all integers.
TTL: until the newest count has decayed, and 1 s; at most 2 windows + 1 s. Nothing charged: unchanged.
]]
local key = KEYS[1]
local field = ARGV[1]
local limit = tonumber(ARGV[2])
local window_ms = tonumber(ARGV[3])
local sub_buckets = tonumber(ARGV[4])
local amount = tonumber(ARGV[5])
local only_if_absent = tonumber(ARGV[6])
local now_override = tonumber(ARGV[7])
local charged_to = tonumber(ARGV[8])
--- @include "numbers"
--- @include "mul-div"
--- @include "clock"
--- @include "sliding-counter"
-- Windows end, so their debt needs no other bound.
local ceiling = MAX
if charged_to then
  local i = charged_to - newest + k + 1
  if not counts[i] then amount = 0 end
  charge = function(permits)
    counts[i] = counts[i] + permits
    measure()
  end
end
--- @include "charge"
