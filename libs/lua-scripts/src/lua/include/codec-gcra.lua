-- State: theoretical arrival time tat + part / limit ms, the limit that it was computed with, ms of the last change; and when nothing is in
-- use any more by the limit of the last charge, where that is before: after a refund under a lower limit.
-- Hex "tat:tat - at:part:limit", and then ":ends".
local function encode(at, tat, part, rate, ends)
  local text = string.format('%x:%x:%x:%x', tat, tat - at, part, rate)
  return ends < (part > 0 and tat + 1 or tat) and text .. string.format(':%x', ends) or text
end

-- The tat in a text, of which nothing else is checked; nil when there is none.
local function tat_of(text)
  return tonumber(string.match(text, '^(%x+):') or '', 16)
end

-- nil when the text is not that.
local function decode(text)
  local tat, ahead, part, rate, ends = string.match(text, '^(%x+):(%x+):(%x+):(%x+):?(%x*)$')
  if not tat then return nil end
  tat, ahead, part, rate = tonumber(tat, 16), tonumber(ahead, 16), tonumber(part, 16), tonumber(rate, 16)
  ends = tonumber(ends, 16) or (part > 0 and tat < MAX and tat + 1 or tat)
  if tat <= MAX and ahead <= tat and rate <= MAX and part < rate and ends <= MAX then return tat - ahead, tat, part, rate, ends end
end
