-- in: key
-- A refund rewrites what came after its charge, so this many entries at most: a lease, which lives a second, has no more than that behind it.
local REWRITTEN_MOST = 1024

-- Lowers the running sums from `position` on by `by`, and drops the entry at `position` if asked to. Returns false, with nothing written, when
-- one of them can not be read, or the times or sums fall.
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
  -- The arguments of one call go through Lua's stack, which is bounded.
  for from = drop and 2 or 1, #entries, 1000 do
    redis.call('RPUSH', key, unpack(entries, from, math.min(from + 999, #entries)))
  end
  return true
end
