-- in:  need, want (0: a peek, which writes nothing), charge_denied, changed, admit, and a counter
-- Grants between need and want when `admit`, charges that, and returns the eight integers.
--- @include "lifetime"
local granted, delay_ms = 0, 0
if need <= capacity then
  if remaining >= need then
    if delay then delay_ms = delay() end
    if admit and want > 0 then
      granted = want < remaining and want or remaining
      charge(granted)
      changed = true
    end
  elseif charge_denied == 1 and want > 0 then
    -- A denial counts up to twice the capacity, and never lowers what is there.
    local ceiling = capacity > MAX - capacity and MAX or capacity + capacity
    local extra = ceiling - used
    if extra > need then extra = need end
    if extra > 0 then
      charge(extra)
      changed = true
    end
  end
end

local retry_ms = 0
if need > capacity then
  retry_ms = NEVER
elseif used > capacity - need then
  -- A need of 0 asks how long the counter is beyond its limit.
  retry_ms = wait(need)
end
local reset_ms = reset()
if changed then
  save(lifetime(reset_ms))
elseif want > 0 and redis.call('PTTL', key) == -1 then
  -- None of ours lacks a TTL; one that was damaged or put there must not refuse for ever (known failure 17).
  redis.call('PEXPIRE', key, string.format('%d', regained(lifetime(reset_ms))))
end
return { granted, remaining, retry_ms, reset_ms, bucket, ends_in_ms, now, delay_ms }
