-- Every number in these scripts is an integer of at most 2^53-1, the greatest that a double holds exactly.
local MAX = 9007199254740991
-- A `retry_ms` that no waiting helps.
local NEVER = -1
-- A key outlives its use by this much, so that a clock read a moment later still finds it.
local SLACK_MS = 1000
