// Generated from src/lua/take-sliding-counter.lua by `npm run generate`; do not edit.
import type { LuaScript } from '../lua-script.js';

export const takeSlidingCounter: LuaScript = {
  name: 'take-sliding-counter',
  sha1: '12ef7650ebf1a5e45e813f42af8814997a1f7578',
  keys: ['group'],
  args: ['field', 'limit', 'window_ms', 'sub_buckets', 'need', 'want', 'charge_denied', 'back_amount', 'back_bucket', 'now'],
  source: `local key = KEYS[1]
local field = ARGV[1]
local limit = tonumber(ARGV[2])
local window_ms = tonumber(ARGV[3])
local sub_buckets = tonumber(ARGV[4])
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
