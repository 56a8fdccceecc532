-- in: key, field, now, window_ms, expired(text): whether the counter in a text is wholly free by now, or can not be read, and
--     free_in(text): nil for the windows; else how long the counter in a text lives, in ms, or nil when it can not be read

-- A field has no TTL of its own, so that one which nobody uses any more would stay for as long as others of its group are used.
-- Hence every fourth write that adds a field, and each that lengthens the life of the group, looks at eight fields of any, and at eight
-- more, 64 at most, while a quarter of those are dead. So the dead settle at a third of the living, whatever passes through.
local function sweep()
  local looked_at, dead = 0
  repeat
    local sample = redis.call('HRANDFIELD', key, 8, 'WITHVALUES')
    dead = {}
    for i = 1, #sample, 2 do
      if expired(sample[i + 1]) and sample[i] ~= field then dead[#dead + 1] = sample[i] end
    end
    if #dead > 0 then redis.call('HDEL', key, unpack(dead)) end
    looked_at = looked_at + 8
  until #dead < 2 or looked_at == 64
end

-- What a group needs whose TTL tells nothing: that was lost (known failure 17), or is beyond what this counter can ask for. No window needs
-- more than two; of those that drain each must be asked, of which 128 is what a call can afford. nil: there are more.
local function needed(ttl_ms)
  if not free_in then return math.max(ttl_ms, window_ms + window_ms + SLACK_MS) end
  if redis.call('HLEN', key) > 128 then return nil end
  local texts = redis.call('HVALS', key)
  for i = 1, #texts do
    local free_ms = free_in(texts[i])
    if free_ms and free_ms + SLACK_MS > ttl_ms then ttl_ms = free_ms + SLACK_MS end
  end
  return ttl_ms
end

-- The TTL for a key that has none.
local function regained(ttl_ms)
  local least = math.max(ttl_ms, window_ms + window_ms + SLACK_MS)
  if redis.call('TYPE', key).ok ~= 'hash' then return least end
  return needed(least) or least
end

-- The TTL of a group is that of the counter that lives longest, to half the slack, so that it need not be set with each write.
-- `usual_ms`: no counter with this limit and burst needs more.
local function write_field(text, ttl_ms, usual_ms)
  local added = redis.pcall('HSET', key, field, text)
  if type(added) == 'table' then
    -- Of another type, or a fault, such as a full store, which the second call raises. UNLINK only where it is needed: after a write Redis
    -- takes further ones even when it is full.
    local kind = redis.call('TYPE', key).ok
    if kind ~= 'hash' and kind ~= 'none' then redis.call('UNLINK', key) end
    added = redis.call('HSET', key, field, text)
  end
  local left_ms = redis.call('PTTL', key)
  local size = (added == 1 or left_ms == -1) and redis.call('HLEN', key) or 1
  local short = left_ms < ttl_ms - SLACK_MS / 2
  if short then
    -- Others in it may need a longer one than this.
    if left_ms == -1 and size > 1 then ttl_ms = regained(ttl_ms) end
    redis.call('PEXPIRE', key, string.format('%d', ttl_ms))
  elseif left_ms > usual_ms then
    -- Damaged, unless counters of the group drain more slowly.
    local needed_ms = needed(ttl_ms)
    if needed_ms and needed_ms < left_ms then redis.call('PEXPIRE', key, string.format('%d', needed_ms)) end
  end
  if short and left_ms >= 0 or size % 4 == 0 then sweep() end
end
