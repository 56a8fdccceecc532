// Generated from src/lua/take-sliding-log.lua by `npm run generate`; do not edit.
import type { LuaScript } from '../lua-script.js';

export const takeSlidingLog: LuaScript = {
  name: 'take-sliding-log',
  sha1: '22d7af705717337c526cad231b3544e01482933b',
  keys: ['counter'],
  args: ['limit', 'window_ms', 'need', 'want', 'charge_denied', 'back_amount', 'back_bucket', 'now'],
  source: `local key = KEYS[1]
local limit = tonumber(ARGV[1])
local window_ms = tonumber(ARGV[2])
local need = tonumber(ARGV[3])
local want = tonumber(ARGV[4])
local charge_denied = tonumber(ARGV[5])
local back_amount = tonumber(ARGV[6]) or 0
local back_bucket = tonumber(ARGV[7]) or 0
local now_override = tonumber(ARGV[8])
local MAX = 9007199254740991
local NEVER = -1
local SLACK_MS = 1000
local now = now_override
if not now then
local time = redis.call('TIME')
now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
local function encode(at, sum)
if at >= 1000000000000 and at < 9000000000000 and sum < 1000000 then
return string.format('%d%d', at, sum)
end
return string.format('%x:%x', at, sum)
end
local function decode(text)
if not text then return nil end
local at, sum = string.match(text, '^(%d%d%d%d%d%d%d%d%d%d%d%d%d)(%d%d?%d?%d?%d?%d?)$')
if at then return tonumber(at), tonumber(sum) end
at, sum = string.match(text, '^(%x+):(%x+)$')
if not at then return nil end
at, sum = tonumber(at, 16), tonumber(sum, 16)
if at <= MAX and sum <= MAX then return at, sum end
end
local ends_in_ms = (window_ms - math.fmod(window_ms, 20)) / 20
if ends_in_ms > 1000 then ends_in_ms = 1000 elseif ends_in_ms < 1 then ends_in_ms = 1 end
local function entry(position)
return decode(redis.call('LINDEX', key, string.format('%d', position)))
end
local function find_entry(low, reached)
local step = 1
local high = low + 1
while true do
local at, sum = entry(high)
if not at or reached(at, sum) then break end
low = high
step = step + step
high = low + step
end
while high - low > 1 do
local middle = math.floor((low + high) / 2)
local at, sum = entry(middle)
if not at or reached(at, sum) then high = middle else low = middle end
end
return high
end
local REWRITTEN_MOST = 1024
local function rewrite_entries(position, by, drop)
local entries = redis.call('LRANGE', key, string.format('%d', position), -1)
local last_at, last_sum = 0, by
for i = 1, #entries do
local at, sum = decode(entries[i])
if not at or at < last_at or sum < last_sum then return false end
last_at, last_sum = at, sum
entries[i] = encode(at, sum - by)
end
if position > 0 then
redis.call('LTRIM', key, 0, string.format('%d', position - 1))
else
redis.call('UNLINK', key)
end
for from = drop and 2 or 1, #entries, 1000 do
redis.call('RPUSH', key, unpack(entries, from, math.min(from + 999, #entries)))
end
return true
end
local capacity = limit
local longest_ttl_ms = window_ms + window_ms + SLACK_MS
local delay
local head = redis.pcall('LRANGE', key, 0, 1)
local stored = head.err ~= nil or #head > 0
local _, gone = decode(head[1])
local first_at, first_sum = decode(head[2])
local last_at, last_sum
if first_at then last_at, last_sum = decode(redis.call('LINDEX', key, -1)) end
local function in_order()
return gone and first_at and last_at and first_at <= last_at and gone < last_sum and gone <= first_sum and first_sum <= last_sum
end
local live = in_order() and last_at <= now + window_ms
local time = now
if live and last_at > now then time = last_at end
local expired_at = time - window_ms
if live and last_at <= expired_at then live = false end
local bucket = time
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
if not at or at <= expired_at or at > last_at then at = last_at end
return at + window_ms - now
end
local function reset()
return live and last_at + window_ms - now or 0
end
local function regained(ttl_ms)
return ttl_ms
end
local function save(ttl_ms)
redis.call('PEXPIRE', key, string.format('%d', ttl_ms))
end
local changed = false
if back_amount > 0 then
local refunded, credited = give_back(back_amount, back_bucket)
changed = refunded > 0 or credited == true
end
local admit = true
local function lifetime(reset_ms)
if reset_ms > longest_ttl_ms - SLACK_MS then return longest_ttl_ms end
return reset_ms + SLACK_MS
end
local granted, delay_ms = 0, 0
if need <= capacity then
if remaining >= need then
if delay then delay_ms = delay() end
if admit and want > 0 then
granted = want < remaining and want or remaining
charge(granted)
changed = true
end
elseif charge_denied == 1 and want > 0 then
local ceiling = capacity > MAX - capacity and MAX or capacity + capacity
local extra = ceiling - used
if extra > need then extra = need end
if extra > 0 then
charge(extra)
changed = true
end
end
end
local retry_ms = 0
if need > capacity then
retry_ms = NEVER
elseif used > capacity - need then
retry_ms = wait(need)
end
local reset_ms = reset()
if changed then
save(lifetime(reset_ms))
elseif want > 0 and redis.call('PTTL', key) == -1 then
redis.call('PEXPIRE', key, string.format('%d', regained(lifetime(reset_ms))))
end
return { granted, remaining, retry_ms, reset_ms, bucket, ends_in_ms, now, delay_ms }`,
};
