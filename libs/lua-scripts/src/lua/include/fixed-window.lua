-- Fixed window, in step with the epoch or with the calendar boundaries in `calendar`.
-- in:  key, field, now, limit, window_ms, calendar
-- out: the counter that include/take.lua and include/refund.lua work on (see README "Includes")
--- @include "read-field"
--- @include "codec-fixed-window"
local capacity = limit
local longest_ttl_ms = window_ms + window_ms + SLACK_MS
local delay
local start, used
if value then start, used = decode(value) end
if start and start > now + window_ms then start = nil end
local time = now
if start and start > now then time = start end

local opens, ends
if calendar == '' then
  opens = time - math.fmod(time, window_ms)
  ends = opens + window_ms
else
  for text in string.gmatch(calendar, '%d+') do
    local boundary = tonumber(text)
    if boundary > time then
      ends = boundary
      break
    end
    opens = boundary
  end
  -- Nothing is written yet: the caller works out the boundaries around this time, and asks again.
  if not opens or not ends then return { time } end
end
if start ~= opens then used = 0 end

local bucket = opens
local ends_in_ms = ends - now
local remaining = used < limit and limit - used or 0

local function charge(permits)
  used = used + permits
  remaining = used < limit and limit - used or 0
end

local function give_back(amount, charged_to)
  if charged_to ~= opens then return 0 end
  local refunded = amount < used and amount or used
  charge(-refunded)
  return refunded
end

local function wait()
  return ends_in_ms
end

local function reset()
  return used > 0 and ends_in_ms or 0
end

-- Over for as long as the slack, by which a clock may step back. Months differ in length, so of a calendar the window that is open tells.
local function expired(text)
  local opened = start_of(text)
  if not opened or calendar == '' then return not opened or opened + window_ms <= now - SLACK_MS end
  return opened < opens and opens <= now - SLACK_MS
end
local free_in
--- @include "write-field"

local function save(ttl_ms)
  write_field(encode(opens, used), ttl_ms, longest_ttl_ms)
end
