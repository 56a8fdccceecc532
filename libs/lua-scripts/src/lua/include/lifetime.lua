-- in:  longest_ttl_ms
-- TTL of a counter that is wholly free in `reset_ms`, in ms; bounded also when the clock has stepped back (R12).
local function lifetime(reset_ms)
  if reset_ms > longest_ttl_ms - SLACK_MS then return longest_ttl_ms end
  return reset_ms + SLACK_MS
end
