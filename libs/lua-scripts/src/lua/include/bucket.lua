-- Token bucket and leaky bucket: the same level, used - part / window_ms permits, that drains at limit / window_ms.
-- in:  key, now, limit, window_ms, burst, shape (1: a shaper)
-- out: the counter that include/take.lua and include/refund.lua work on (see README "Includes")
--- @include "read-string"
--- @include "write-string"
--- @include "codec-bucket"
--- @include "lease-span"
local capacity = burst
local longest_ttl_ms = MAX
local used, part, at
if value then used, part, at = decode(value) end
if not used or part >= window_ms or at > now + window_ms then used, part, at = 0, 0, now end
local time = at > now and at or now
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
local bucket = time
local remaining = used < burst and burst - used or 0

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

-- How long a shaper holds back what comes after all that is in use.
local function delay()
  return shape == 1 and used > 0 and drain_ms(used) or 0
end

local function charge(permits)
  used = used + permits
  remaining = used < burst and burst - used or 0
end

--- @include "undrained"

local function give_back(amount, charged_at)
  local refunded = undrained(amount, charged_at)
  if refunded > used then refunded = used end
  charge(-refunded)
  if used == 0 then part = 0 end
  return refunded
end

local function wait(need)
  return drain_ms(used - (burst - need))
end

local function reset()
  return used > 0 and drain_ms(used) or 0
end

local function save(ttl_ms)
  write_string(encode(used, part, time), ttl_ms)
end
