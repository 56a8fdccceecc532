-- in: key
-- Lowers the running sums from `position` on by `by`, and drops the entry at `position` if asked to.
local function rewrite_entries(position, by, drop)
  local entries = redis.call('LRANGE', key, string.format('%d', position), -1)
  if position > 0 then
    redis.call('LTRIM', key, 0, string.format('%d', position - 1))
  else
    redis.call('UNLINK', key)
  end
  local batch = {}
  for i = drop and 2 or 1, #entries do
    local at, sum = decode(entries[i])
    batch[#batch + 1] = encode(at, sum - by)
    -- The arguments of one call go through Lua's stack, which is bounded.
    if #batch == 1000 then
      redis.call('RPUSH', key, unpack(batch))
      batch = {}
    end
  end
  if #batch > 0 then redis.call('RPUSH', key, unpack(batch)) end
end
