--[[
Takes from (or peeks at) several counters of any algorithms, all or nothing (R8): each is charged only if each can grant its need.

KEYS[i]  counter i  as the take script of its algorithm has it: a group, which may come twice with other fields, or a log

ARGV[1]     now            number  for tests, ms; '': the clock of the store
For counter i, at = 9 * i - 8:
ARGV[at+1]  field          text    the counter in the group; of a log ''
ARGV[at+2]  algorithm      number  position in `counters` below
ARGV[at+3]  limit          number  permits per window
ARGV[at+4]  window_ms      number
ARGV[at+5]  burst          number  capacity; equals limit for the windows
ARGV[at+6]  detail         text    fixed_window: calendar; sliding_counter: sub_buckets; leaky_bucket: shape; else ''
ARGV[at+7]  need           number  least permits
ARGV[at+8]  want           number  most permits; 0: a peek
ARGV[at+9]  charge_denied  number  1: a denial by this counter counts too, on it alone

Reply: for each counter { granted, remaining, retry_ms, reset_ms, bucket, bucket_ends_in_ms, now_ms, delay_ms }, all integers.
       Of a calendar whose boundaries do not hold the time: { that time }, and nothing is written.
TTL: as the take script of each algorithm sets it.
]]
local now_override = tonumber(ARGV[1])
--- @include "numbers"
--- @include "mul-div"
--- @include "clock"

-- Each reads its counter, and gives whether `need` can be granted, and what then takes it, or answers as a peek would.
local function fixed_window(key, field, limit, window_ms, burst, calendar, need, want, charge_denied)
  --- @include "fixed-window"
  return need <= remaining, function(admit)
    local changed = false
    --- @include "take"
  end
end

local function sliding_log(key, field, limit, window_ms, burst, detail, need, want, charge_denied)
  --- @include "sliding-log"
  return need <= remaining, function(admit)
    local changed = false
    --- @include "take"
  end
end

local function sliding_counter(key, field, limit, window_ms, burst, detail, need, want, charge_denied)
  local sub_buckets = tonumber(detail)
  --- @include "sliding-counter"
  return need <= remaining, function(admit)
    local changed = false
    --- @include "take"
  end
end

local function level(key, field, limit, window_ms, burst, detail, need, want, charge_denied)
  local shape = tonumber(detail)
  if shape == 1 and want > 0 then want = need end
  --- @include "bucket"
  return need <= remaining, function(admit)
    local changed = false
    --- @include "take"
  end
end

local function gcra(key, field, limit, window_ms, burst, detail, need, want, charge_denied)
  --- @include "gcra"
  return need <= remaining, function(admit)
    local changed = false
    --- @include "take"
  end
end

local counters = { fixed_window, sliding_log, sliding_counter, level, level, gcra }
local admit = true
local takes = {}
for i = 1, #KEYS do
  local at = 9 * i - 8
  local fits, take = counters[tonumber(ARGV[at + 2])](
    KEYS[i], ARGV[at + 1], tonumber(ARGV[at + 3]), tonumber(ARGV[at + 4]), tonumber(ARGV[at + 5]), ARGV[at + 6],
    tonumber(ARGV[at + 7]), tonumber(ARGV[at + 8]), tonumber(ARGV[at + 9])
  )
  if not take then return fits end
  admit = admit and fits
  takes[i] = take
end
local replies = {}
for i = 1, #KEYS do replies[i] = takes[i](admit) end
return replies
