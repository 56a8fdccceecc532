-- Sliding counter: the whole counts of the newest k sub-buckets, and of the one before them the share that the window still covers.
-- in:  key, field, now, limit, window_ms, sub_buckets (k)
-- out: the counter that include/take.lua and include/refund.lua work on (see README "Includes")
--- @include "read-field"
--- @include "codec-sliding-counter"
local capacity = limit
local longest_ttl_ms = window_ms + window_ms + SLACK_MS
local delay
local k = sub_buckets
local width = window_ms / k
local index, counts
if value then index, counts = decode(value, k + 1) end
if index and index * width > now + window_ms then index = nil end
local time = now
if index and index * width > now then time = index * width end

local into = math.fmod(time, width)
local newest = (time - into) / width
local ends_in_ms = (newest + 1) * width - now
local bucket = newest
if not index or newest - index > k then
  counts = {}
  for i = 1, k + 1 do counts[i] = 0 end
elseif newest > index then
  local shift = newest - index
  for i = 1, k + 1 do counts[i] = counts[i + shift] or 0 end
end

-- The counts after the oldest.
local function whole_counts()
  local sum = 0
  for i = 2, k + 1 do sum = sum + counts[i] end
  return sum < MAX and sum or MAX
end

local used, remaining
local function measure()
  local oldest = counts[1]
  if oldest > 0 then
    if into > 0 then
      local whole, rest = mul_div(oldest, width - into, width)
      oldest = rest > 0 and whole + 1 or whole
    end
    if k > 1 then
      -- At most the mean of the k counts before the newest is taken for spread out evenly, so that at most limit / k passes
      -- too much (R2). With k = 1 that is the count itself.
      local sum = 0
      for i = 1, k do sum = sum + counts[i] end
      local least = counts[1] - math.floor(sum / k)
      if least > oldest then oldest = least end
    end
  end
  used = oldest + whole_counts()
  if used > MAX then used = MAX end
  remaining = used < limit and limit - used or 0
end
measure()

local function charge(permits)
  counts[k + 1] = counts[k + 1] + permits
  measure()
end

local function give_back(amount, charged_to)
  local i = charged_to - newest + k + 1
  local count = counts[i] or 0
  local refunded = amount < count and amount or count
  if refunded > 0 then
    counts[i] = count - refunded
    measure()
  end
  return refunded
end

-- Steps through the coming sub-buckets; in each, room is what its decaying count may still take up. `rest` are the counts after
-- the oldest, `spread` the k before the newest, which are empty once they are still to come.
local function wait(need)
  local from = into
  local rest = whole_counts()
  local spread = 0
  for i = 1, k do spread = spread + counts[i] end
  for step = 0, k do
    local oldest = counts[step + 1]
    local room = limit - need - rest
    if room >= 0 and oldest - math.floor(spread / k) <= room then
      local fits = from
      if oldest > room then
        local at = width - mul_div(room, width, oldest)
        if at > fits then fits = at end
      end
      if fits < width then return (newest + step) * width + fits - now end
    end
    from = 0
    spread = spread - oldest + (counts[step + 1 + k] or 0)
    rest = rest - (counts[step + 2] or 0)
  end
  return (newest + k + 1) * width - now
end

local function reset()
  for i = k + 1, 1, -1 do
    if counts[i] > 0 then return (newest + i) * width - now end
  end
  return 0
end

local function expired(text)
  local last = index_of(text)
  return not last or (last + k + 1) * width <= now - SLACK_MS
end
local free_in
--- @include "write-field"

local function save(ttl_ms)
  write_field(encode(newest, counts), ttl_ms, longest_ttl_ms)
end
