-- State: when the level will have drained at the limit of the last change, which the limit of another counter of the group does not
-- tell; ms of that change; permits in use then, and the part of one that has drained already (in 1/window_ms of a permit).
-- Hex "drained_at:drained_at - at:used:part".
local function encode(used, part, at, drained_at)
  return string.format('%x:%x:%x:%x', drained_at, drained_at - at, used, part)
end

-- When the counter in a text is free, of which nothing else is checked; nil when there is none.
local function free_at(text)
  return tonumber(string.match(text, '^(%x+):') or '', 16)
end

-- nil when the text is not that.
local function decode(text)
  local drained_at, ahead, used, part = string.match(text, '^(%x+):(%x+):(%x+):(%x+)$')
  if not drained_at then return nil end
  drained_at, ahead, used, part = tonumber(drained_at, 16), tonumber(ahead, 16), tonumber(used, 16), tonumber(part, 16)
  if drained_at <= MAX and ahead <= drained_at and used <= MAX and part <= MAX then return used, part, drained_at - ahead end
end
