-- Sliding log: a list of entries in order of time. The first is the last one that is known to have left the window (or 0:0):
-- with sums that run through, the use is the sum of the newest entry less that of the newest expired one.
-- in:  key, now, limit, window_ms
-- out: the counter that include/take.lua and include/refund.lua work on (see README "Includes")
--- @include "codec-log-entry"
--- @include "lease-span"
--- @include "log-search"
--- @include "log-rewrite"
local capacity = limit
local longest_ttl_ms = window_ms + window_ms + SLACK_MS
local delay
local head = redis.pcall('LRANGE', key, 0, 1)
local stored = head.err ~= nil or #head > 0
local _, gone = decode(head[1])
local first_at, first_sum = decode(head[2])
local last_at, last_sum
if first_at then last_at, last_sum = decode(redis.call('LINDEX', key, -1)) end

-- Ours never fall; one that does was damaged, and would make the use negative.
local function in_order()
  return gone and first_at and last_at and first_at <= last_at and gone < last_sum and gone <= first_sum and first_sum <= last_sum
end

local live = in_order() and last_at <= now + window_ms
local time = now
if live and last_at > now then time = last_at end
local expired_at = time - window_ms
if live and last_at <= expired_at then live = false end
local bucket = time

-- Position of the oldest entry in the window.
local first = 1
if live and first_at <= expired_at then
  first = find_entry(1, function(at) return at > expired_at end)
  _, gone = entry(first - 1)
  first_at, first_sum = entry(first)
  live = in_order()
end
if not live then time, bucket = now, now end

local used, remaining
local function measure()
  used = live and last_sum - gone or 0
  remaining = used < limit and limit - used or 0
end
measure()

-- Expired entries leave with the next write; a denial leaves them where they are (R7).
local function drop_expired()
  if first > 1 then
    redis.call('LTRIM', key, string.format('%d', first - 1), -1)
    first = 1
  end
end

local function start_anew(permits)
  if stored then redis.call('UNLINK', key) end
  redis.call('RPUSH', key, encode(0, 0), encode(time, permits))
  live, stored, first, gone, last_at, last_sum = true, true, 1, 0, time, permits
end

local function charge(permits)
  if not live then
    start_anew(permits)
    return measure()
  end
  drop_expired()
  if last_sum > MAX - permits then
    if not rewrite_entries(0, gone) then
      time, bucket = now, now
      start_anew(permits)
      return measure()
    end
    last_sum, gone = last_sum - gone, 0
  end
  last_sum = last_sum + permits
  if last_at == time then
    redis.call('LSET', key, -1, encode(time, last_sum))
  else
    redis.call('RPUSH', key, encode(time, last_sum))
    last_at = time
  end
  measure()
end

local function forget()
  redis.call('UNLINK', key)
  live, stored, time, bucket = false, false, now, now
end

local function give_back(amount, charged_at)
  if not live or charged_at <= expired_at or charged_at > last_at then return 0 end
  local last = redis.call('LLEN', key) - 1
  local position = last
  if charged_at < last_at then
    position = find_entry(first - 1, function(at) return at >= charged_at end)
  end
  local at, sum = entry(position)
  if at ~= charged_at or last - position > REWRITTEN_MOST then return 0 end
  local _, before = entry(position - 1)
  local count = before and sum - before or 0
  if count <= 0 or count > used then return 0 end
  local refunded = amount < count and amount or count
  if refunded == used then
    forget()
  elseif refunded > 0 then
    if not rewrite_entries(position, refunded, refunded == count) then return 0 end
    drop_expired()
    last_at, last_sum = entry(-1)
    if last_at <= expired_at or last_at > now + window_ms then
      forget()
    else
      time = last_at > now and last_at or now
      bucket = time
    end
  end
  measure()
  return refunded
end

local function wait(need)
  local due = used - (limit - need)
  local at, sum = entry(first)
  if sum - gone < due then
    at = entry(find_entry(first, function(_, running) return running - gone >= due end))
  end
  -- Between entries that can be read one may be damaged; with the newest all are gone.
  if not at or at <= expired_at or at > last_at then at = last_at end
  return at + window_ms - now
end

local function reset()
  return live and last_at + window_ms - now or 0
end

-- The TTL for a key that has none.
local function regained(ttl_ms)
  return ttl_ms
end

-- The entries are written by then.
local function save(ttl_ms)
  redis.call('PEXPIRE', key, string.format('%d', ttl_ms))
end
