// ns a look-up among 5,000 rules, and the time to build the index. Run after `tsc -b`: node libs/rules/bench/match.mjs
import { Buffer } from 'node:buffer';
import { performance } from 'node:perf_hooks';
import { compileSnapshot, normalizeIp } from '../dist/index.js';

const RULES = 5_000;
const REQUESTS = 4_096;
const ROUNDS = 200;
const NOW = Date.parse('2027-01-01T00:00:00Z');

let seed = 1;
function random(n) {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
  return (seed >>> 8) % n;
}

const plans = Array.from({ length: 20 }, (_, at) => ({ plan_id: `plan-${at}`, default_limit: { limit: 100, window_seconds: 60 } }));
const quota = { limit: 10, window_seconds: 1, version: 1 };
const template = (at) => `${['GET', 'POST', 'PUT'][at % 3]} /v1/area${at % 50}/{id}/part${Math.floor(at / 50) % 5}`;
const path = (at, id) => template(at).replace('{id}', String(id));
const planRules = (count) => Array.from({ length: count }, (_, at) => ({ ...quota, rule_id: `r${at}`, plan: `plan-${at % 20}`, endpoint: template(Math.floor(at / 20)) }));
const tenantRules = (count) => Array.from({ length: count }, (_, at) => ({ ...quota, rule_id: `t${at}`, policy: 'tenant', descriptors: { tenant_id: `tenant-${at}` }, count_by: ['tenant_id'] }));
const wide = [
  { ...quota, rule_id: 'domain-default' },
  { ...quota, rule_id: 'daily', policy: 'daily', window_seconds: 86_400 },
  { ...quota, rule_id: 'staged', mode: 'shadow' },
];

function requests(endpoint) {
  return Array.from({ length: REQUESTS }, () => {
    const at = random(250);
    return { domain: 'api', plan: `plan-${random(20)}`, endpoint: endpoint(at), key_id: `key-${random(1_000)}`, tenant_id: `tenant-${random(5_000)}`, ip: '192.0.2.1' };
  });
}

/** Strings as a request brings them: made at run time, without a remembered hash. */
const fresh = (text) => Buffer.from(text, 'latin1').toString('latin1');

const overrides = Array.from({ length: 100 }, (_, at) => ({ override_id: `o${at}`, rule_id: `r${at}`, key_id: `key-${at}`, limit: 99, expires_at: '2028-01-01T00:00:00Z' }));
const scenes = [
  ['plan and route template, one policy', [...planRules(RULES - 1), wide[0]], [], template],
  ['plan and concrete path, one policy', [...planRules(RULES - 1), wide[0]], [], (at) => fresh(path(at, random(1_000_000)))],
  ['no rule for the endpoint', [...planRules(RULES - 1), wide[0]], [], () => fresh(`GET /other/${random(1_000_000)}/x`)],
  ['two policies and a shadow, concrete path', [...planRules(RULES - 3), ...wide], [], (at) => fresh(path(at, random(1_000_000)))],
  ['2,500 tenants by descriptor, concrete path', [...planRules(RULES / 2), ...tenantRules(RULES / 2)], [], (at) => fresh(path(at, random(1_000_000)))],
  ['one key in ten has an override', [...planRules(RULES - 1), wide[0]], overrides, (at) => fresh(path(at, random(1_000_000)))],
];

console.log(`${RULES} rules, ${plans.length} plans with a default limit; node ${process.version}`);
for (const [name, rules, live, endpoint] of scenes) {
  const started = performance.now();
  const index = compileSnapshot({ version: 1, plans, rules, overrides: live });
  const buildMs = performance.now() - started;
  const sample = requests(endpoint);
  let applied = 0;
  const rounds = Array.from({ length: ROUNDS }, () => {
    const from = performance.now();
    for (const attributes of sample) applied += index.match(attributes, NOW).length;
    return ((performance.now() - from) * 1e6) / REQUESTS;
  }).sort((a, b) => a - b);
  const median = rounds[ROUNDS / 2];
  console.log(`${name.padEnd(45)} ${median.toFixed(0).padStart(5)} ns (build ${buildMs.toFixed(1)} ms, ${(applied / ROUNDS / REQUESTS).toFixed(2)} rules apply)`);
}

for (const ip of ['192.0.2.1', '2001:db8:1:2:3:4:5:6', '::ffff:192.0.2.1']) {
  const from = performance.now();
  for (let at = 0; at < 200_000; at += 1) normalizeIp(ip);
  console.log(`normalizeIp ${ip.padEnd(33)} ${((performance.now() - from) * 5).toFixed(0).padStart(5)} ns`);
}
