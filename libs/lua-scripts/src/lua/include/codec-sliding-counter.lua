-- State: index of the newest sub-bucket, and the counts of it and the k before it, oldest first.
-- k = 1: "<index><older><newer><d>", both counts padded to d digits, while that is a 64-bit integer (10 bytes in a
-- listpack: R13); else, and for k > 1, hex "index:count:…:count", a zero as nothing.
local function encode(index, counts)
  if #counts == 2 then
    local older, newer = string.format('%d', counts[1]), string.format('%d', counts[2])
    local digits = #older > #newer and #older or #newer
    local text = string.format('%d', index) .. string.rep('0', digits - #older) .. older
      .. string.rep('0', digits - #newer) .. newer .. digits
    -- The greatest 64-bit integer has 19 digits and starts with a 9. Counts of 9 digits are past that, so `digits` is one digit.
    if #text < 19 or (#text == 19 and text < '9') then return text end
  end
  local parts = { string.format('%x', index) }
  for i = 1, #counts do
    parts[i + 1] = counts[i] > 0 and string.format('%x', counts[i]) or ''
  end
  return table.concat(parts, ':')
end

-- The index in a text, of which nothing else is checked; nil when there is none.
local function index_of(text)
  local digits = tonumber(string.sub(text, -1))
  return tonumber(string.match(text, '^(%x+):') or '', 16) or tonumber(string.sub(text, 1, digits and -2 - digits - digits or 0))
end

-- nil when the text is none of these, or of another number of sub-buckets.
local function decode(text, size)
  local packed, digits = string.match(text, '^(%d+)(%d)$')
  if packed then
    digits = tonumber(digits)
    local index_size = #packed - digits - digits
    if size ~= 2 or digits < 1 or index_size < 1 or #packed > 18 then return nil end
    return tonumber(string.sub(packed, 1, index_size)), {
      tonumber(string.sub(packed, index_size + 1, index_size + digits)),
      tonumber(string.sub(packed, index_size + digits + 1)),
    }
  end
  local index, rest = string.match(text, '^(%x+)(:[%x:]*)$')
  if not index then return nil end
  index = tonumber(index, 16)
  local counts = {}
  for part in string.gmatch(rest, ':(%x*)') do
    local count = part == '' and 0 or tonumber(part, 16)
    if count > MAX then return nil end
    counts[#counts + 1] = count
  end
  if index <= MAX and #counts == size then return index, counts end
end
