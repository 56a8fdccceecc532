-- Token bucket and leaky bucket: the same level, used - part / window_ms permits, that drains at limit / window_ms.
-- in:  key, field, now, limit, window_ms, burst, shape (1: a shaper)
-- out: the counter that include/take.lua and include/refund.lua work on (see README "Includes")
--- @include "read-field"
--- @include "codec-bucket"
--- @include "lease-span"
local capacity = burst
local longest_ttl_ms = MAX
local used, part, at, ends
if value then used, part, at, ends = decode(value) end
if not used or part >= window_ms or at > now + window_ms then used, part, at, ends = 0, 0, now, now end
local time = at > now and at or now
-- What has drained by the limit that it was charged under stays so under a lower one, whether or not a sweep came by.
if ends <= time then used, part = 0, 0 end
if used > 0 and time > at then
  local drained, rest = mul_div(time - at, limit, window_ms)
  part = part + rest
  if part >= window_ms then
    part = part - window_ms
    drained = drained + 1
  end
  if drained < used then
    used = used - drained
  else
    used, part = 0, 0
  end
end

-- Ms from now until that many of the permits in use have drained: the smallest t with part + t * limit >= permits * window_ms.
local function drain_ms(permits)
  local ms, rest = mul_div(permits, window_ms, limit)
  if rest > part then
    ms = ms + 1
  else
    ms = ms - (part - rest - math.fmod(part - rest, limit)) / limit
  end
  ms = ms + (time - now)
  return ms < MAX and ms or MAX
end

-- The same, or ms until nothing is in use by the limit of the last charge.
local function until_drained(permits)
  local ms = drain_ms(permits)
  return ms < ends - now and ms or ends - now
end

-- What is left, and when the level will have drained, which names a charge by its end.
local remaining, bucket
local function measure()
  remaining = used < burst and burst - used or 0
  bucket = now + (used > 0 and drain_ms(used) or time - now)
  if bucket > MAX then bucket = MAX end
end
measure()

-- How long a shaper holds back what comes after all that is in use.
local function delay()
  return shape == 1 and used > 0 and until_drained(used) or 0
end

local function charge(permits)
  used = used + permits
  measure()
  ends = bucket
end

-- Of a charge whose level has drained at `drained_at`, what has not drained yet: exact to the part, so that it may be less than a permit.
-- Returns the whole permits by which the use fell, and whether anything changed.
local function give_back(amount, drained_at)
  if amount == 0 or used == 0 or drained_at <= time then return 0, false end
  local before = used
  local whole, rest = mul_div(drained_at - time, limit, window_ms)
  if whole >= amount then whole, rest = amount, 0 end
  part = part + rest
  if part >= window_ms then part, whole = part - window_ms, whole + 1 end
  used = used - whole
  if used <= 0 then used, part = 0, 0 end
  measure()
  if bucket < ends then ends = bucket end
  return before - used, whole > 0 or rest > 0
end

local function wait(need)
  return until_drained(used - (burst - need))
end

local function reset()
  return used > 0 and until_drained(used) or 0
end

local function expired(text)
  local at = free_at(text)
  return not at or at <= now - SLACK_MS
end

local function free_in(text)
  local _, _, at = decode(text)
  return at and at <= now + window_ms and free_at(text) - now
end
--- @include "write-field"
--- @include "drain-ttl"

local function save(ttl_ms)
  write_field(encode(used, part, time, ends), ttl_ms, drain_ttl_ms(ttl_ms))
end
