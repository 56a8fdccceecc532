export const USAGE = `Usage: npm run -s backtest -- --rules RULES [options] LOG ...

Says what a set of rules would have refused of the requests in LOG.

  --rules FILE       YAML or JSON: a list of rules as the API has them, or {rules, plans, overrides}
  LOG                JSON lines, CSV with a header, or access logs; .gz by name; - is stdin; several are
                     merged by time
  --format F         jsonl, csv or combined (nginx, Apache); default by name, else jsonl
  --map FIELD=NAME   read a field from the column NAME; again for more. Fields: time, key, endpoint,
                     method, path, cost, allowed, status, and any attribute of a rule (plan, ip, ...)
  --set NAME=VALUE   an attribute that all requests have, such as plan=free
  --reorder SPAN     sort requests that come up to so late in a log (default 5m; 0 for none; ms, s, m, h)
  --top N            lines in each list (default 10)
  --skip-bad         count lines that are no requests instead of ending with them; a log that breaks off
                     (a gz cut short) and one without any request are faults all the same
  --json             the whole report as JSON
  --help

Fields: time is ISO 8601 (2026-11-30T10:00:00.5+01:00; UTC where it names no zone) or epoch seconds or ms; key counts as key_id; cost is 1
where it is absent; what really happened is read from allowed (true, false) or status (429).
Ends with 0; 1 for rules or lines that cannot be read; 2 for wrong usage.`;
