-- Asks Sluice's decision service about each request. Own work, for HAProxy 2.5 and later (core.httpclient).
local url = os.getenv("SLUICE_AUTHORIZE_URL") or "http://127.0.0.1:8089/v1/authorize?fields=original"
local token = os.getenv("SLUICE_DECISION_TOKEN")
local fail_open = os.getenv("SLUICE_FAIL") ~= "closed"
-- How long a decision may take is `timeout server` of `listen decision`, which answers 504 then. This has to be longer: when it ends HAProxy asks
-- again, three times, and each is charged. No setting of 2.6 turns that off.
local backstop_ms = 30000
-- What the question holds of a client's own, in bytes. It has to fit HAProxy's buffer and what the decision service reads, 16 KB each.
local most_bytes = 12000

-- For the service behind, and for the client.
local names = { ["sluice-key-id"] = true, ["sluice-tenant-id"] = true, ["sluice-plan"] = true }
local fields = { "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "ratelimit-policy", "ratelimit" }

local function first(answer, name)
  local values = answer.headers and answer.headers[name]
  return values and values[0]
end

-- Also by spellings that a service may take for the same name, as CGI and WSGI do with `_`.
local function remove_forged(txn)
  for name in pairs(txn.http:req_get_headers()) do
    if names[name:lower():gsub("_", "-")] then txn.http:req_del_header(name) end
  end
end

-- Also returns how long it is.
local function question(txn)
  local target, method = txn.sf:url(), txn.sf:method()
  local headers = { ["x-original-uri"] = { target }, ["x-original-method"] = { method }, ["x-forwarded-for"] = { txn.sf:src() } }
  local bytes = #target + #method
  -- What else the decision reads of the client's own. Of several keys it gets all, which is no key.
  local given = txn.http:req_get_headers()
  for _, name in ipairs({ "x-api-key", "origin", "access-control-request-method" }) do
    local values = given[name]
    if values then
      headers[name] = {}
      for at = 0, #values do
        headers[name][at + 1] = values[at]
        bytes = bytes + #name + #values[at]
      end
    end
  end
  if token then headers["authorization"] = { "Bearer " .. token } end
  return headers, bytes
end

local function refuse(txn, status, answer)
  local reply = txn:reply({ status = status })
  for _, name in ipairs({ "content-type", "cache-control", "retry-after", "www-authenticate", table.unpack(fields) }) do
    local value = answer and first(answer, name)
    if value then reply:add_header(name, value) end
  end
  reply:set_body(answer and answer.body or "")
  txn:done(reply)
end

local function away(txn, why)
  core.Warning("sluice: no decision (" .. tostring(why) .. ")")
  if not fail_open then txn:done(txn:reply({ status = 503, headers = { ["retry-after"] = { "1" } } })) end
end

core.register_action("sluice", { "http-req" }, function(txn)
  remove_forged(txn)
  local headers, bytes = question(txn)
  -- What cannot be asked about is refused: were it let pass, clients would choose to be.
  if bytes > most_bytes then return refuse(txn, 431) end
  -- After an error HAProxy would go on with the request.
  local asked, answer = pcall(function() return core.httpclient():get({ url = url, headers = headers, timeout = backstop_ms }) end)
  if not asked then
    core.Warning("sluice: cannot ask (" .. tostring(answer) .. ")")
    return refuse(txn, 400)
  end
  local status = answer and tonumber(answer.status)
  if status == 200 then
    for name in pairs(names) do
      local value = first(answer, name)
      if value then txn.http:req_set_header(name, value) end
    end
    txn:set_priv(answer)
    return
  end
  local said = answer and tonumber(first(answer, "sluice-status"))
  if said then return refuse(txn, said, answer) end
  -- Only a service that is away is passed by. A question that it does not take was made so by the client, or by whoever configured this.
  if not status or status < 100 or status >= 500 then return away(txn, status) end
  refuse(txn, status >= 400 and status or 400, answer)
end)

core.register_action("sluice_fields", { "http-res" }, function(txn)
  local answer = txn:get_priv()
  if not answer then return end
  for _, name in ipairs(fields) do
    local value = first(answer, name)
    if value then txn.http:res_set_header(name, value) end
  end
end)
