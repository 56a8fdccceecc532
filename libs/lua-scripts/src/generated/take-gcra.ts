// Generated from src/lua/take-gcra.lua by `npm run generate`; do not edit.
import type { LuaScript } from '../lua-script.js';

export const takeGcra: LuaScript = {
  name: 'take-gcra',
  sha1: '43f9274b0a067917f36ef4ab54c4b3ee7d1bd8c1',
  keys: ['group'],
  args: ['field', 'limit', 'window_ms', 'burst', 'need', 'want', 'charge_denied', 'back_amount', 'back_bucket', 'now'],
  source: `local key = KEYS[1]
local field = ARGV[1]
local limit = tonumber(ARGV[2])
local window_ms = tonumber(ARGV[3])
local burst = tonumber(ARGV[4])
local need = tonumber(ARGV[5])
local want = tonumber(ARGV[6])
local charge_denied = tonumber(ARGV[7])
local back_amount = tonumber(ARGV[8]) or 0
local back_bucket = tonumber(ARGV[9]) or 0
local now_override = tonumber(ARGV[10])
local MAX = 9007199254740991
local NEVER = -1
local SLACK_MS = 1000
local function mul_div(a, b, c)
local product = a * b
if product <= MAX then
local remainder = math.fmod(product, c)
return (product - remainder) / c, remainder
end
if b < a then a, b = b, a end
local b_remainder = math.fmod(b, c)
local b_quotient = (b - b_remainder) / c
local bit = 1
while bit + bit <= a do bit = bit + bit end
local quotient, remainder = 0, 0
while bit >= 1 do
quotient = quotient + quotient
if remainder >= c - remainder then
remainder = remainder - (c - remainder)
quotient = quotient + 1
else
remainder = remainder + remainder
end
if a >= bit then
a = a - bit
quotient = quotient + b_quotient
if remainder >= c - b_remainder then
remainder = remainder - (c - b_remainder)
quotient = quotient + 1
else
remainder = remainder + b_remainder
end
end
if quotient > MAX then return MAX, 0 end
bit = bit / 2
end
return quotient, remainder
end
local now = now_override
if not now then
local time = redis.call('TIME')
now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
local value = redis.pcall('HGET', key, field)
if type(value) ~= 'string' then value = nil end
local function encode(at, tat, part, rate, ends)
local text = string.format('%x:%x:%x:%x', tat, tat - at, part, rate)
return ends < (part > 0 and tat + 1 or tat) and text .. string.format(':%x', ends) or text
end
local function tat_of(text)
return tonumber(string.match(text, '^(%x+):') or '', 16)
end
local function decode(text)
local tat, ahead, part, rate, ends = string.match(text, '^(%x+):(%x+):(%x+):(%x+):?(%x*)$')
if not tat then return nil end
tat, ahead, part, rate = tonumber(tat, 16), tonumber(ahead, 16), tonumber(part, 16), tonumber(rate, 16)
ends = tonumber(ends, 16) or (part > 0 and tat < MAX and tat + 1 or tat)
if tat <= MAX and ahead <= tat and rate <= MAX and part < rate and ends <= MAX then return tat - ahead, tat, part, rate, ends end
end
local ends_in_ms = (window_ms - math.fmod(window_ms, 20)) / 20
if ends_in_ms > 1000 then ends_in_ms = 1000 elseif ends_in_ms < 1 then ends_in_ms = 1 end
local capacity = burst
local longest_ttl_ms = MAX
local delay
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
local whole, rest = mul_div(tat - at, rate, limit)
local part_rest = math.fmod(part, limit)
whole, rest = add(whole, rest, (part - part_rest) / limit, part_rest)
tat, part = add(at, 0, whole, rest)
end
end
if not at or tat < time or ends <= time then tat, part, ends = time, 0, time end
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
local function sweep()
local looked_at, dead = 0
repeat
local sample = redis.call('HRANDFIELD', key, 8, 'WITHVALUES')
dead = {}
for i = 1, #sample, 2 do
if expired(sample[i + 1]) and sample[i] ~= field then dead[#dead + 1] = sample[i] end
end
if #dead > 0 then redis.call('HDEL', key, unpack(dead)) end
looked_at = looked_at + 8
until #dead < 2 or looked_at == 64
end
local function needed(ttl_ms)
if not free_in then return math.max(ttl_ms, window_ms + window_ms + SLACK_MS) end
if redis.call('HLEN', key) > 128 then return nil end
local texts = redis.call('HVALS', key)
for i = 1, #texts do
local free_ms = free_in(texts[i])
if free_ms and free_ms + SLACK_MS > ttl_ms then ttl_ms = free_ms + SLACK_MS end
end
return ttl_ms
end
local function regained(ttl_ms)
local least = math.max(ttl_ms, window_ms + window_ms + SLACK_MS)
if redis.call('TYPE', key).ok ~= 'hash' then return least end
return needed(least) or least
end
local function write_field(text, ttl_ms, usual_ms)
local added = redis.pcall('HSET', key, field, text)
if type(added) == 'table' then
local kind = redis.call('TYPE', key).ok
if kind ~= 'hash' and kind ~= 'none' then redis.call('UNLINK', key) end
added = redis.call('HSET', key, field, text)
end
local left_ms = redis.call('PTTL', key)
local size = (added == 1 or left_ms == -1) and redis.call('HLEN', key) or 1
local short = left_ms < ttl_ms - SLACK_MS / 2
if short then
if left_ms == -1 and size > 1 then ttl_ms = regained(ttl_ms) end
redis.call('PEXPIRE', key, string.format('%d', ttl_ms))
elseif left_ms > usual_ms then
local needed_ms = needed(ttl_ms)
if needed_ms and needed_ms < left_ms then redis.call('PEXPIRE', key, string.format('%d', needed_ms)) end
end
if short and left_ms >= 0 or size % 4 == 0 then sweep() end
end
local function drain_ttl_ms(own_ttl_ms)
local whole = mul_div(burst, window_ms, limit)
local longest_ms = whole + whole + 2 + window_ms + SLACK_MS
return own_ttl_ms > longest_ms and own_ttl_ms or longest_ms
end
local function save(ttl_ms)
write_field(encode(time, tat, part, limit, ends), ttl_ms, drain_ttl_ms(ttl_ms))
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
