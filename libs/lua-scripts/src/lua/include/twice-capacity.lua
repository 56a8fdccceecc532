-- in:  capacity
-- out: ceiling  the most that debt may bring into use where a use drains: it is paid off within the time of two full bursts (R12)
local ceiling = capacity > MAX - capacity and MAX or capacity + capacity
