-- State: permits in use, the part of one that has drained already (in 1/window_ms of a permit), ms of the last change.
-- "<at, 13 digits><used><part, 3 digits>" while that is an integer that Redis keeps in the object itself (16 bytes);
-- else hex "at:used:part".
local function encode(used, part, at)
  if at >= 1000000000000 and at < 9000000000000 and used < 1000 and part < 1000 then
    return string.format('%d%d%03d', at, used, part)
  end
  return string.format('%x:%x:%x', at, used, part)
end

-- nil when the text is none of these.
local function decode(text)
  local at, used, part = string.match(text, '^(%d%d%d%d%d%d%d%d%d%d%d%d%d)(%d%d?%d?)(%d%d%d)$')
  if at then return tonumber(used), tonumber(part), tonumber(at) end
  at, used, part = string.match(text, '^(%x+):(%x+):(%x+)$')
  if not at then return nil end
  at, used, part = tonumber(at, 16), tonumber(used, 16), tonumber(part, 16)
  if at <= MAX and used <= MAX and part <= MAX then return used, part, at end
end
