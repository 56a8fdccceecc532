-- State: theoretical arrival time tat + part / limit ms, the limit that it was computed with, ms of the last change.
-- Hex "tat:tat - at:part:limit".
local function encode(at, tat, part, rate)
  return string.format('%x:%x:%x:%x', tat, tat - at, part, rate)
end

-- The tat in a text, of which nothing else is checked; nil when there is none.
local function tat_of(text)
  return tonumber(string.match(text, '^(%x+):') or '', 16)
end

-- nil when the text is not that.
local function decode(text)
  local tat, ahead, part, rate = string.match(text, '^(%x+):(%x+):(%x+):(%x+)$')
  if not tat then return nil end
  tat, ahead, part, rate = tonumber(tat, 16), tonumber(ahead, 16), tonumber(part, 16), tonumber(rate, 16)
  if tat <= MAX and ahead <= tat and rate <= MAX and part < rate then return tat - ahead, tat, part, rate end
end
