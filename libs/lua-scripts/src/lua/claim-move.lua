--[[
Lets one node of all do a step of a split or of its end.

KEYS[1]  splits  hash, as splits.lua has it

ARGV[1]  counter  text
ARGV[2]  step     text  which one: the time that it is for, and a word
ARGV[3]  node_id  text

Reply: 1 when it is this node's to do, also when it has claimed it before; else 0.
TTL: unchanged. Nothing is written to what is not there.
]]
local key = KEYS[1]
local counter = ARGV[1]
local step = ARGV[2]
local node_id = ARGV[3]
if redis.call('HEXISTS', key, counter) == 0 then return 0 end
local claim = step .. ':' .. counter
-- No split begins with that, whatever a node calls itself.
local holder = '@' .. node_id
if redis.call('HSETNX', key, claim, holder) == 1 then return 1 end
return redis.call('HGET', key, claim) == holder and 1 or 0
