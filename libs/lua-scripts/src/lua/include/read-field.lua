-- in:  key, field
-- out: value  the text of the counter, or nil; a key of another type counts as absent, and the next write replaces it
local value = redis.pcall('HGET', key, field)
if type(value) ~= 'string' then value = nil end
