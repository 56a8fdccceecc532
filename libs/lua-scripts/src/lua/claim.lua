--[[
Hands the record of a reservation to one claimant, once; that one may ask again while the key is there, since its reply may have been lost.

KEYS[1]  reservation  string: the claimant, ':', the record

ARGV[1]  claimant  text    letters, digits, - and _
ARGV[2]  keep_ms   number  how long the claimant may ask again

Reply: the record; nil when somebody else has it, it has expired or never was.
TTL: keep_ms from the first claim, set with the value; also of a key that had lost its own, whatever it holds.
]]
local key = KEYS[1]
local claimant = ARGV[1]
local keep_ms = tonumber(ARGV[2])
if redis.call('PTTL', key) == -1 then redis.call('PEXPIRE', key, string.format('%d', keep_ms)) end
local text = redis.pcall('GET', key)
if type(text) ~= 'string' then return false end
local holder, record = string.match(text, '^([%w_-]*):(.*)$')
if holder == claimant then return record end
if holder ~= '' then return false end
redis.call('SET', key, claimant .. ':' .. record, 'PX', string.format('%d', keep_ms))
return record
