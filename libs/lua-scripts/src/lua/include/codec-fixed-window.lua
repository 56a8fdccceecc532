-- State: start of the window in ms, permits used in it.
-- "<start, 13 digits><used>" while that is a 64-bit integer (10 bytes in a listpack: R13); else hex "start:used".
local function encode(start, used)
  if start >= 1000000000000 and start < 9000000000000 and used < 1000000 then
    return string.format('%d%d', start, used)
  end
  return string.format('%x:%x', start, used)
end

-- The start in a text, of which nothing else is checked; nil when there is none.
local function start_of(text)
  return tonumber(string.match(text, '^(%x+):') or '', 16) or tonumber(string.sub(text, 1, 13))
end

-- nil when the text is none of these.
local function decode(text)
  local start, used = string.match(text, '^(%d%d%d%d%d%d%d%d%d%d%d%d%d)(%d%d?%d?%d?%d?%d?)$')
  if start then return tonumber(start), tonumber(used) end
  start, used = string.match(text, '^(%x+):(%x+)$')
  if not start then return nil end
  start, used = tonumber(start, 16), tonumber(used, 16)
  if start <= MAX and used <= MAX then return start, used end
end
