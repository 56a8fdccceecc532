-- State: permits in use, the part of one that has drained already (in 1/window_ms of a permit), ms of the last change; and when it
-- will have drained at the limit of that change, which the limit of another counter of the group does not tell.
-- Hex "at:used:part:drained_at - at".
local function encode(used, part, at, drained_at)
  return string.format('%x:%x:%x:%x', at, used, part, drained_at - at)
end

-- nil when the text is not that.
local function decode(text)
  local at, used, part, ahead = string.match(text, '^(%x+):(%x+):(%x+):(%x+)$')
  if not at then return nil end
  at, used, part, ahead = tonumber(at, 16), tonumber(used, 16), tonumber(part, 16), tonumber(ahead, 16)
  if at <= MAX and used <= MAX and part <= MAX and ahead <= MAX - at then return used, part, at, at + ahead end
end
