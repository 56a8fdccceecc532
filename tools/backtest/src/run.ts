import { backtest } from './backtest.js';
import { readOptions } from './options.js';
import { printedOutcome } from './print-outcome.js';
import { Progress } from './progress.js';
import { readRules } from './read-rules.js';
import { USAGE } from './usage.js';
import { InputFault, UsageFault } from './usage-fault.js';

/** Where the command writes to. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly progress: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;
}

/** Runs the command and gives its exit code: 0, 1 for what cannot be read, 2 for wrong usage. */
export async function run(args: readonly string[], { out, err, progress }: Terminal): Promise<0 | 1 | 2> {
  try {
    const options = readOptions(args);
    if (options.help) {
      out(USAGE);
      return 0;
    }
    const tried = await readRules(options.rulesFile);
    const outcome = await backtest(tried, options, new Progress(progress));
    const { report, fromMs, toMs, badLines } = outcome;
    if (options.json) out(JSON.stringify({ from: iso(fromMs), to: iso(toMs), bad_lines: badLines, warnings: tried.warnings, ...report }, null, 2));
    else out(printedOutcome(outcome, tried, options.top));
    return 0;
  } catch (error) {
    if (error instanceof UsageFault) {
      err(`${error.message}\n\n${USAGE}`);
      return 2;
    }
    if (!(error instanceof InputFault)) throw error;
    err(error.message);
    return 1;
  }
}

function iso(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
