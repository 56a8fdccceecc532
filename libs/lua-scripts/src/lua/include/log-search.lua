-- in: key
-- An entry by its position, as ms and running sum; nil beyond the end.
local function entry(position)
  return decode(redis.call('LINDEX', key, string.format('%d', position)))
end

-- Position of the first entry after `low` for which `reached(at, sum)` holds; there must be one, and `low` must not be one itself.
-- Doubling steps, then halves: near entries are found in one or two reads, far ones in 2 log n.
local function find_entry(low, reached)
  local step = 1
  local high = low + 1
  while true do
    local at, sum = entry(high)
    if not at or reached(at, sum) then break end
    low = high
    step = step + step
    high = low + step
  end
  while high - low > 1 do
    local middle = math.floor((low + high) / 2)
    local at, sum = entry(middle)
    if not at or reached(at, sum) then high = middle else low = middle end
  end
  return high
end
