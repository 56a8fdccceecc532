-- State: theoretical arrival time tat + part / limit ms, the limit that it was computed with, ms of the last change.
-- Hex "at:tat - at:part:limit".
local function encode(at, tat, part, rate)
  return string.format('%x:%x:%x:%x', at, tat - at, part, rate)
end

-- nil when the text is not that.
local function decode(text)
  local at, ahead, part, rate = string.match(text, '^(%x+):(%x+):(%x+):(%x+)$')
  if not at then return nil end
  at, ahead, part, rate = tonumber(at, 16), tonumber(ahead, 16), tonumber(part, 16), tonumber(rate, 16)
  if at <= MAX and ahead <= MAX - at and rate <= MAX and part < rate then return at, at + ahead, part, rate end
end
