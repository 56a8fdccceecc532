-- in:  amount, only_if_absent, ceiling (the most that may be in use), and a counter
-- Charges whatever is left, beyond the capacity too, and returns the eight integers; `retry_ms` is until one permit is there.
--- @include "lifetime"
local charged = ceiling - used
if only_if_absent == 1 and used > 0 then charged = 0 end
if charged > amount then charged = amount end
if charged > 0 then charge(charged) else charged = 0 end
local retry_ms = remaining > 0 and 0 or wait(1)
local reset_ms = reset()
if charged > 0 then save(lifetime(reset_ms)) end
return { charged, remaining, retry_ms, reset_ms, bucket, ends_in_ms, now, 0 }
