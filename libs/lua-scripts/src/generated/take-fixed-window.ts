// Generated from src/lua/take-fixed-window.lua by `npm run generate`; do not edit.
import type { LuaScript } from '../lua-script.js';

export const takeFixedWindow: LuaScript = {
  name: 'take-fixed-window',
  sha1: '373c7087eab2ab24469d60804b9571d64b486f07',
  keys: ['group'],
  args: ['field', 'limit', 'window_ms', 'calendar', 'need', 'want', 'charge_denied', 'back_amount', 'back_bucket', 'now'],
  source: `local key = KEYS[1]
local field = ARGV[1]
local limit = tonumber(ARGV[2])
local window_ms = tonumber(ARGV[3])
local calendar = ARGV[4]
local need = tonumber(ARGV[5])
local want = tonumber(ARGV[6])
local charge_denied = tonumber(ARGV[7])
local back_amount = tonumber(ARGV[8]) or 0
local back_bucket = tonumber(ARGV[9]) or 0
local now_override = tonumber(ARGV[10])
local MAX = 9007199254740991
local NEVER = -1
local SLACK_MS = 1000
local now = now_override
if not now then
local time = redis.call('TIME')
now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
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
