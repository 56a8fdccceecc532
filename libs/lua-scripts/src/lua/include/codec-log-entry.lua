-- Entry of the log: its ms, and the permits of all entries up to and with it, so that any sum is one subtraction.
-- "<at, 13 digits><sum>" while that is an integer (10 bytes in the list); else hex "at:sum".
local function encode(at, sum)
  if at >= 1000000000000 and at < 9000000000000 and sum < 1000000 then
    return string.format('%d%d', at, sum)
  end
  return string.format('%x:%x', at, sum)
end

-- nil when there is no entry, or none that can be read.
local function decode(text)
  if not text then return nil end
  local at, sum = string.match(text, '^(%d%d%d%d%d%d%d%d%d%d%d%d%d)(%d%d?%d?%d?%d?%d?)$')
  if at then return tonumber(at), tonumber(sum) end
  at, sum = string.match(text, '^(%x+):(%x+)$')
  if not at then return nil end
  at, sum = tonumber(at, 16), tonumber(sum, 16)
  if at <= MAX and sum <= MAX then return at, sum end
end
