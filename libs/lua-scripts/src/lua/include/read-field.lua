-- in:  key
-- out: stored  whether the key is there, readable or not
--      value   its string, or nil; a key of another type counts as absent, and the next write replaces it
local value = redis.pcall('GET', key)
local stored = value ~= false
if type(value) ~= 'string' then value = nil end
