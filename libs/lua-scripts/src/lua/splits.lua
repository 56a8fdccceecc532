--[[
The counters that are split now, and proposals to split or to keep split.

KEYS[1]  splits  hash: the key of each counter: 'shards:from:until:barred', ms by the clock of the store; and claims, 'at:what:key': '@' and the node id

ARGV[1]  lead_ms  number  from a proposal until the counter is split: as long as all nodes take to hear of it; and again from its end until it is forgotten
ARGV[2]  hold_ms  number  for how long it is split after the last proposal
ARGV[3]  bar_ms   number  for how long a counter is not split that must not be
ARGV[4]  most     number  counters beyond it are not split
ARGV[5]  now      number  for tests, ms; '': the clock of the store
For proposal i, at = 2 * i + 4:
ARGV[at]    counter  text
ARGV[at+1]  shards   number  0: it must not be split any longer

Reply: { { now_ms }, and for each counter { counter, shards, from, until } }.
TTL: until the last of them is forgotten, and 1 s. Without a proposal that holds: unchanged, but one that was lost is set again.
]]
local key = KEYS[1]
local lead_ms = tonumber(ARGV[1])
local hold_ms = tonumber(ARGV[2])
local bar_ms = tonumber(ARGV[3])
local most = tonumber(ARGV[4])
local now_override = tonumber(ARGV[5])
--- @include "clock"
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
    -- Over, or written by a clock that has stepped back.
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
return reply
