// Generated from src/lua/splits.lua by `npm run generate`; do not edit.
import type { LuaScript } from '../lua-script.js';

export const splits: LuaScript = {
  name: 'splits',
  sha1: '028b3b8a7b9dbe1c9cf5b6c42cead2384324c1b4',
  keys: ['splits'],
  args: ['lead_ms', 'hold_ms', 'bar_ms', 'most', 'now', 'counter', 'shards'],
  source: `local key = KEYS[1]
local lead_ms = tonumber(ARGV[1])
local hold_ms = tonumber(ARGV[2])
local bar_ms = tonumber(ARGV[3])
local most = tonumber(ARGV[4])
local now_override = tonumber(ARGV[5])
local now = now_override
if not now then
local time = redis.call('TIME')
now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
local all = redis.pcall('HGETALL', key)
if all.err then
redis.call('UNLINK', key)
all = {}
end
local splits, order, claims = {}, {}, {}
for i = 1, #all, 2 do
local shards, from, till, barred = string.match(all[i + 1], '^(%d+):(%d+):(%d+):(%d+)$')
shards, from, till, barred = tonumber(shards), tonumber(from), tonumber(till), tonumber(barred)
if not shards then
claims[#claims + 1] = all[i]
elseif (till + lead_ms > now or barred > now) and from <= now + lead_ms and till <= now + lead_ms + hold_ms and barred <= now + bar_ms then
splits[all[i]] = { shards, from, till, barred }
order[#order + 1] = all[i]
else
redis.call('HDEL', key, all[i])
end
end
for i = 1, #claims do
local counter = string.match(claims[i], '^%d+:%a+:(.*)$')
if not (counter and splits[counter]) then redis.call('HDEL', key, claims[i]) end
end
local changed = false
for at = 6, #ARGV, 2 do
local counter, shards = ARGV[at], tonumber(ARGV[at + 1])
local split = splits[counter]
if split and split[3] - lead_ms > now then
split[3] = now + lead_ms + (shards > 0 and hold_ms or 0)
if split[3] < split[2] then split[3] = split[2] end
if shards == 0 then split[4] = now + bar_ms end
changed = true
elseif not split and shards > 0 and #order < most then
split = { shards, now + lead_ms, now + lead_ms + hold_ms, 0 }
splits[counter] = split
order[#order + 1] = counter
changed = true
else
split = nil
end
if split then redis.call('HSET', key, counter, string.format('%.0f:%.0f:%.0f:%.0f', split[1], split[2], split[3], split[4])) end
end
local reply, last = { { now } }, 0
for i = 1, #order do
local split = splits[order[i]]
reply[i + 1] = { order[i], split[1], split[2], split[3] }
last = math.max(last, split[3] + lead_ms, split[4])
end
if changed or (#order > 0 and redis.call('PTTL', key) == -1) then
redis.call('PEXPIRE', key, string.format('%.0f', last + 1000 - now))
end
return reply`,
};
