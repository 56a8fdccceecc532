-- GCRA: the time at which all permits in use will have drained, tat + part / limit ms.
-- in:  key, field, now, limit, window_ms, burst
-- out: the counter that include/take.lua and include/refund.lua work on (see README "Includes")
--- @include "read-field"
--- @include "codec-gcra"
--- @include "lease-span"
local capacity = burst
local longest_ttl_ms = MAX
local delay

-- A time and a span of whole ms and parts of 1/limit; compared by subtraction, as two parts may pass 2^53 together.
local function add(ms, part, more_ms, more_part)
  ms = ms + more_ms
  if part >= limit - more_part then
    ms, part = ms + 1, part - (limit - more_part)
  else
    part = part + more_part
  end
  if ms >= MAX then return MAX, 0 end
  return ms, part
end

local at, tat, part, rate, ends
if value then at, tat, part, rate, ends = decode(value) end
if at and at > now + window_ms then at = nil end
local time = now
if at then
  if at > now then time = at end
  if rate ~= limit then
    -- The permits in use at `at` stay, and drain at the new limit from then on: both terms times rate / limit.
    local whole, rest = mul_div(tat - at, rate, limit)
    local part_rest = math.fmod(part, limit)
    whole, rest = add(whole, rest, (part - part_rest) / limit, part_rest)
    tat, part = add(at, 0, whole, rest)
  end
end
-- What has drained by the limit that it was charged under stays so under a lower one, whether or not a sweep came by.
if not at or tat < time or ends <= time then tat, part, ends = time, 0, time end

-- Permits in use, rounded up.
local used, remaining, bucket
local function measure()
  local whole, rest = mul_div(tat - time, limit, window_ms)
  local part_rest = math.fmod(part, window_ms)
  used = whole + (part - part_rest) / window_ms
  rest = rest + part_rest
  if rest > window_ms then used = used + 2 elseif rest > 0 then used = used + 1 end
  if used > MAX then used = MAX end
  remaining = used < burst and burst - used or 0
  bucket = part > 0 and tat < MAX and tat + 1 or tat
end
measure()

local function charge(permits)
  tat, part = add(tat, part, mul_div(permits, window_ms, limit))
  measure()
  ends = bucket
end

-- Of a charge whose level has drained at `drained_at`, what has not drained yet, as a time. Returns the whole permits by which the use
-- fell, and whether anything changed.
local function give_back(amount, drained_at)
  local span = drained_at - time
  if amount == 0 or span <= 0 or (tat == time and part == 0) then return 0, false end
  local before = used
  local whole, rest = mul_div(amount, window_ms, limit)
  if whole > span or (whole == span and rest > 0) then whole, rest = span, 0 end
  tat, part = tat - whole, part - rest
  if part < 0 then tat, part = tat - 1, part + limit end
  if tat < time then tat, part = time, 0 end
  measure()
  if bucket < ends then ends = bucket end
  return before - used, true
end

-- Ms from now until at most that many permits are in use, or none are by the limit of the last charge.
local function until_level(permits)
  local whole, rest = mul_div(permits, window_ms, limit)
  local ms = tat - time - whole + (part > rest and 1 or 0)
  if ms <= 0 then return 0 end
  ms = ms + (time - now)
  return ms < ends - now and ms or ends - now
end

local function wait(need)
  return until_level(burst - need)
end

local function reset()
  return until_level(0)
end

local function expired(text)
  local at = tat_of(text)
  return not at or at < now - SLACK_MS
end

local function free_in(text)
  local at, ends = decode(text)
  return at and at <= now + window_ms and ends + 1 - now
end
--- @include "write-field"
--- @include "drain-ttl"

local function save(ttl_ms)
  write_field(encode(time, tat, part, limit, ends), ttl_ms, drain_ttl_ms(ttl_ms))
end
