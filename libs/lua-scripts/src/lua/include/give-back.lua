-- in:  back_amount, back_bucket, and a counter
-- out: changed  whether the counter has to be saved
-- Unspent permits of an old lease, returned on the way; one that comes too late for its bucket gives nothing.
local changed = false
if back_amount > 0 then
  local refunded, credited = give_back(back_amount, back_bucket)
  changed = refunded > 0 or credited == true
end
