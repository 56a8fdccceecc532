-- in:  amount, charged_to, and a counter
-- Gives back, and returns what was taken off.
--- @include "lifetime"
local refunded, credited = give_back(amount, charged_to)
if refunded > 0 or credited then save(lifetime(reset())) end
return refunded
