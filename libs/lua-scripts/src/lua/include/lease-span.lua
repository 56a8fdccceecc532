-- in:  window_ms
-- out: ends_in_ms  how long a lease may live on an algorithm that has no window bucket: W / 20, 1 ms to 1 s
local ends_in_ms = (window_ms - math.fmod(window_ms, 20)) / 20
if ends_in_ms > 1000 then ends_in_ms = 1000 elseif ends_in_ms < 1 then ends_in_ms = 1 end
