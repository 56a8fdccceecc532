-- Asks Sluice's decision service about each request. Own work, for HAProxy 2.5 and later (core.httpclient).
local url = os.getenv("SLUICE_AUTHORIZE_URL") or "http://127.0.0.1:8089/v1/authorize?fields=original"
local token = os.getenv("SLUICE_DECISION_TOKEN")
local fail_open = os.getenv("SLUICE_FAIL") ~= "closed"
local timeout_ms = 1000

-- For the service behind, and for the client.
local names = { "sluice-key-id", "sluice-tenant-id", "sluice-plan" }
local fields = { "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "ratelimit-policy", "ratelimit" }

local function first(answer, name)
  local values = answer.headers[name]
  return values and values[0]
end

local function question(txn)
  local headers = {
    ["x-original-uri"] = { txn.sf:url() },
    ["x-original-method"] = { txn.sf:method() },
    ["x-forwarded-for"] = { txn.sf:src() },
  }
  -- What else the decision reads of the client's own. Of several keys it gets all, which is no key.
  for _, name in ipairs({ "x-api-key", "origin", "access-control-request-method" }) do
    local given = txn.http:req_get_headers()[name]
    if given then
      headers[name] = {}
      for i = 0, #given do headers[name][i + 1] = given[i] end
    end
  end
  if token then headers["authorization"] = { "Bearer " .. token } end
  return headers
end

local function refuse(txn, answer, status)
  local reply = txn:reply({ status = status })
  for _, name in ipairs({ "content-type", "cache-control", "retry-after", "www-authenticate", table.unpack(fields) }) do
    local value = first(answer, name)
    if value then reply:add_header(name, value) end
  end
  reply:set_body(answer.body or "")
  txn:done(reply)
end

core.register_action("sluice", { "http-req" }, function(txn)
  for _, name in ipairs(names) do txn.http:req_del_header(name) end
  local answer = core.httpclient():get({ url = url, headers = question(txn), timeout = timeout_ms })
  if answer and answer.status == 200 then
    for _, name in ipairs(names) do
      local value = first(answer, name)
      if value then txn.http:req_set_header(name, value) end
    end
    txn:set_priv(answer)
    return
  end
  -- Only a decision has this field: anything else is a service that is away, or one that does not let us ask.
  local status = answer and answer.headers and tonumber(first(answer, "sluice-status"))
  if status then return refuse(txn, answer, status) end
  core.Warning("sluice: no decision (" .. tostring(answer and answer.status) .. ")")
  if not fail_open then txn:done(txn:reply({ status = 503, headers = { ["retry-after"] = { "1" } } })) end
end)

core.register_action("sluice_fields", { "http-res" }, function(txn)
  local answer = txn:get_priv()
  if not answer then return end
  for _, name in ipairs(fields) do
    local value = first(answer, name)
    if value then txn.http:res_set_header(name, value) end
  end
end)
