-- in: time, limit, window_ms
-- What is left of a charge to a draining level: what has drained since, rounded up in favour of the limit, is gone, and giving
-- it back would fill a later time's budget (R9). A charge from the future has no rest.
local function undrained(amount, charged_at)
  if charged_at > time then return 0 end
  local drained, rest = mul_div(time - charged_at, limit, window_ms)
  local left = amount - drained - (rest > 0 and 1 or 0)
  return left > 0 and left or 0
end
