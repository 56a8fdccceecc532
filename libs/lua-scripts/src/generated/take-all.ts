// Generated from src/lua/take-all.lua by `npm run generate`; do not edit.
import type { LuaScript } from '../lua-script.js';

export const takeAll: LuaScript = {
  name: 'take-all',
  sha1: '2657c5257e0f00f7597080583f730201e614b042',
  keys: ['counter i'],
  args: ['now', 'field', 'algorithm', 'limit', 'window_ms', 'burst', 'detail', 'need', 'want', 'charge_denied'],
  source: `local now_override = tonumber(ARGV[1])
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
local function fixed_window(key, field, limit, window_ms, burst, calendar, need, want, charge_denied)
local value = redis.pcall('HGET', key, field)
if type(value) ~= 'string' then value = nil end
local function encode(start, used)
if start >= 1000000000000 and start < 9000000000000 and used < 1000000 then
return string.format('%d%d', start, used)
end
return string.format('%x:%x', start, used)
end
local function start_of(text)
return tonumber(string.match(text, '^(%x+):') or '', 16) or tonumber(string.sub(text, 1, 13))
end
local function decode(text)
local start, used = string.match(text, '^(%d%d%d%d%d%d%d%d%d%d%d%d%d)(%d%d?%d?%d?%d?%d?)$')
if start then return tonumber(start), tonumber(used) end
start, used = string.match(text, '^(%x+):(%x+)$')
if not start then return nil end
start, used = tonumber(start, 16), tonumber(used, 16)
if start <= MAX and used <= MAX then return start, used end
end
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
local function expired(text)
local opened = start_of(text)
if not opened or calendar == '' then return not opened or opened + window_ms <= now - SLACK_MS end
return opened < opens and opens <= now - SLACK_MS
end
local free_in
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
local function save(ttl_ms)
write_field(encode(opens, used), ttl_ms, longest_ttl_ms)
end
return need <= remaining, function(admit)
local changed = false
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
return { granted, remaining, retry_ms, reset_ms, bucket, ends_in_ms, now, delay_ms }
end
end
local function sliding_log(key, field, limit, window_ms, burst, detail, need, want, charge_denied)
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
return need <= remaining, function(admit)
local changed = false
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
return { granted, remaining, retry_ms, reset_ms, bucket, ends_in_ms, now, delay_ms }
end
end
local function sliding_counter(key, field, limit, window_ms, burst, detail, need, want, charge_denied)
local sub_buckets = tonumber(detail)
local value = redis.pcall('HGET', key, field)
if type(value) ~= 'string' then value = nil end
local function encode(index, counts)
if #counts == 2 then
local older, newer = string.format('%d', counts[1]), string.format('%d', counts[2])
local digits = #older > #newer and #older or #newer
local text = string.format('%d', index) .. string.rep('0', digits - #older) .. older
.. string.rep('0', digits - #newer) .. newer .. digits
if #text < 19 or (#text == 19 and text < '9') then return text end
end
local parts = { string.format('%x', index) }
for i = 1, #counts do
parts[i + 1] = counts[i] > 0 and string.format('%x', counts[i]) or ''
end
return table.concat(parts, ':')
end
local function index_of(text)
local digits = tonumber(string.sub(text, -1))
return tonumber(string.match(text, '^(%x+):') or '', 16) or tonumber(string.sub(text, 1, digits and -2 - digits - digits or 0))
end
local function decode(text, size)
local packed, digits = string.match(text, '^(%d+)(%d)$')
if packed then
digits = tonumber(digits)
local index_size = #packed - digits - digits
if size ~= 2 or digits < 1 or index_size < 1 or #packed > 18 then return nil end
return tonumber(string.sub(packed, 1, index_size)), {
tonumber(string.sub(packed, index_size + 1, index_size + digits)),
tonumber(string.sub(packed, index_size + digits + 1)),
}
end
local index, rest = string.match(text, '^(%x+)(:[%x:]*)$')
if not index then return nil end
index = tonumber(index, 16)
local counts = {}
for part in string.gmatch(rest, ':(%x*)') do
local count = part == '' and 0 or tonumber(part, 16)
if count > MAX then return nil end
counts[#counts + 1] = count
end
if index <= MAX and #counts == size then return index, counts end
end
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
local function save(ttl_ms)
write_field(encode(newest, counts), ttl_ms, longest_ttl_ms)
end
return need <= remaining, function(admit)
local changed = false
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
return { granted, remaining, retry_ms, reset_ms, bucket, ends_in_ms, now, delay_ms }
end
end
local function level(key, field, limit, window_ms, burst, detail, need, want, charge_denied)
local shape = tonumber(detail)
if shape == 1 and want > 0 then want = need end
local value = redis.pcall('HGET', key, field)
if type(value) ~= 'string' then value = nil end
local function encode(used, part, at, ends)
return string.format('%x:%x:%x:%x', ends, ends - at, used, part)
end
local function free_at(text)
return tonumber(string.match(text, '^(%x+):') or '', 16)
end
local function decode(text)
local ends, ahead, used, part = string.match(text, '^(%x+):(%x+):(%x+):(%x+)$')
if not ends then return nil end
ends, ahead, used, part = tonumber(ends, 16), tonumber(ahead, 16), tonumber(used, 16), tonumber(part, 16)
if ends <= MAX and ahead <= ends and used <= MAX and part <= MAX then return used, part, ends - ahead, ends end
end
local ends_in_ms = (window_ms - math.fmod(window_ms, 20)) / 20
if ends_in_ms > 1000 then ends_in_ms = 1000 elseif ends_in_ms < 1 then ends_in_ms = 1 end
local capacity = burst
local longest_ttl_ms = MAX
local used, part, at, ends
if value then used, part, at, ends = decode(value) end
if not used or part >= window_ms or at > now + window_ms then used, part, at, ends = 0, 0, now, now end
local time = at > now and at or now
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
local function until_drained(permits)
local ms = drain_ms(permits)
return ms < ends - now and ms or ends - now
end
local remaining, bucket
local function measure()
remaining = used < burst and burst - used or 0
bucket = now + (used > 0 and drain_ms(used) or time - now)
if bucket > MAX then bucket = MAX end
end
measure()
local function delay()
return shape == 1 and used > 0 and until_drained(used) or 0
end
local function charge(permits)
used = used + permits
measure()
ends = bucket
end
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
write_field(encode(used, part, time, ends), ttl_ms, drain_ttl_ms(ttl_ms))
end
return need <= remaining, function(admit)
local changed = false
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
return { granted, remaining, retry_ms, reset_ms, bucket, ends_in_ms, now, delay_ms }
end
end
local function gcra(key, field, limit, window_ms, burst, detail, need, want, charge_denied)
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
return need <= remaining, function(admit)
local changed = false
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
return { granted, remaining, retry_ms, reset_ms, bucket, ends_in_ms, now, delay_ms }
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
return replies`,
};
