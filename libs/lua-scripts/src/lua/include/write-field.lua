-- in: key, field, now, window_ms, longest_ttl_ms, expired(text): whether the counter in a text is wholly free by now, or can not be read

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

-- The TTL of a group is that of the counter that lives longest, to half the slack, so that it need not be set with each write.
local function write_field(text, ttl_ms)
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
  if short or left_ms > longest_ttl_ms then
    if not short then
      ttl_ms = longest_ttl_ms
    elseif left_ms == -1 and size > 1 then
      -- It had lost its TTL (known failure 17), and others in it may need a longer one.
      ttl_ms = math.max(ttl_ms, window_ms + window_ms + SLACK_MS)
    end
    redis.call('PEXPIRE', key, string.format('%d', ttl_ms))
  end
  if short and left_ms >= 0 or size % 4 == 0 then sweep() end
end
