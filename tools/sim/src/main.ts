import { parseArgs } from 'node:util';
import { coverageLines } from './report/coverage.js';
import { headLine, LEGEND, tableLine } from './report/table.js';
import { type Report, runScenario } from './run-scenario.js';
import { SCENARIOS } from './scenarios/scenarios.js';

const USAGE = `Usage: npm run -s sim -- [--only TEXT] [--seed N] [--short] [--json]
Runs the engine in virtual time on simulated fleets and prints a table; fails when a goal that a scenario is held to is missed.
  --only TEXT  scenarios whose name has this in it, in capitals or not; given twice: either
  --seed N     another random fleet and traffic; default 1
  --short      fewer scenarios, each shorter: for CI
  --json       the same as JSON, each goal with its bar
  --list       the names of the scenarios

${LEGEND}`;

try {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [''] },
      seed: { type: 'string', default: '1' },
      short: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { short, json } = values;
  const only = values.only.map((text) => text.toLowerCase());
  const seed = Number(values.seed);
  const chosen = SCENARIOS.filter(({ name, shortWindows }) => only.some((text) => name.toLowerCase().includes(text)) && (!short || shortWindows !== undefined));
  if (values.help) console.log(USAGE);
  else if (!Number.isSafeInteger(seed) || seed < 0) refuse(`--seed must be an integer of at least 0, got ${values.seed}`);
  else if (chosen.length === 0) refuse(`no scenario${short ? ' of the short set' : ''} has ${values.only.map((text) => JSON.stringify(text)).join(' or ')} in its name`);
  else if (values.list) console.log(chosen.map(({ name }) => name).join('\n'));
  else await run(chosen, { seed, short, json });
} catch (error) {
  if (!(error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))) throw error;
  refuse(error.message);
}

function refuse(why: string): void {
  console.error(`${why}\n\n${USAGE}`);
  process.exitCode = 2;
}

async function run(chosen: typeof SCENARIOS, { seed, short, json }: { seed: number; short: boolean; json: boolean }): Promise<void> {
  const reports: Report[] = [];
  if (!json) console.log(headLine());
  for (const scenario of chosen) {
    const report = await runScenario(scenario, { seed, short });
    reports.push(report);
    if (!json) console.log(tableLine(report));
  }
  const missed = reports.flatMap((report) => report.missed.map((line) => `missed: ${report.figures.scenario}: ${line}`));
  if (json) console.log(JSON.stringify(reports.map((report) => ({ ...report.figures, goals: report.goals, ...report.coverage, missed: report.missed })), undefined, 2));
  else {
    console.log(`\n${reports.length} scenarios, seed ${seed}: ${missed.length === 0 ? 'every goal that was judged is met' : `${missed.length} goals are missed`}. Judged was`);
    for (const line of coverageLines(reports.map(({ coverage }) => coverage))) console.log(`  ${line}`);
  }
  for (const line of missed) console.error(line);
  if (missed.length > 0) process.exitCode = 1;
}
