-- State: when nothing is in use any more, by the limit of the last charge, whatever the limit is now or that of another counter of the
-- group; ms of that change; permits in use then, and the part of one that has drained already (in 1/window_ms of a permit).
-- Hex "ends:ends - at:used:part".
local function encode(used, part, at, ends)
  return string.format('%x:%x:%x:%x', ends, ends - at, used, part)
end

-- When the counter in a text is free, of which nothing else is checked; nil when there is none.
local function free_at(text)
  return tonumber(string.match(text, '^(%x+):') or '', 16)
end

-- nil when the text is not that.
local function decode(text)
  local ends, ahead, used, part = string.match(text, '^(%x+):(%x+):(%x+):(%x+)$')
  if not ends then return nil end
  ends, ahead, used, part = tonumber(ends, 16), tonumber(ahead, 16), tonumber(used, 16), tonumber(part, 16)
  if ends <= MAX and ahead <= ends and used <= MAX and part <= MAX then return used, part, ends - ahead, ends end
end
