-- in: limit, window_ms, burst
-- The longest TTL that a counter of this limit and burst asks for, in ms: twice what a full burst takes to drain, as debt goes up to that, one
-- window more when the clock has stepped back, and the slack. One that a greater burst left needs what it needs.
local function drain_ttl_ms(own_ttl_ms)
  local whole = mul_div(burst, window_ms, limit)
  local longest_ms = whole + whole + 2 + window_ms + SLACK_MS
  return own_ttl_ms > longest_ms and own_ttl_ms or longest_ms
end
