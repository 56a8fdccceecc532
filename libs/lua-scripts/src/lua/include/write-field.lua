-- Value and TTL in one command, so that no write can leave a key without one (R12).
local function write_string(text, ttl_ms)
  redis.call('SET', key, text, 'PX', string.format('%d', ttl_ms))
end
