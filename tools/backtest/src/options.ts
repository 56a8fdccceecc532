import { parseArgs } from 'node:util';
import { FORMATS, type Format } from './records/format.js';
import { UsageFault } from './usage-fault.js';

export interface Options {
  readonly help: boolean;
  readonly rulesFile: string;
  readonly logs: readonly string[];
  /** Undefined: by name. */
  readonly format: Format | undefined;
  /** Column by field. */
  readonly columns: ReadonlyMap<string, string>;
  readonly attributes: Readonly<Record<string, string>>;
  readonly reorderMs: number;
  readonly top: number;
  readonly skipBad: boolean;
  readonly json: boolean;
}

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** @throws UsageFault */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parsed(args);
  const { rules, help = false } = values;
  if (!help && rules === undefined) throw new UsageFault('--rules is missing');
  if (!help && positionals.length === 0) throw new UsageFault('there is no log to read; - is stdin');
  if (positionals.filter((path) => path === '-').length > 1) throw new UsageFault('- is stdin, which can be read once');
  const format = FORMATS.find((name) => name === values.format);
  if (values.format !== undefined && format === undefined) throw new UsageFault(`--format must be one of ${FORMATS.join(', ')}`);
  return {
    help,
    rulesFile: rules ?? '',
    logs: positionals,
    format,
    columns: pairs('--map', values.map),
    attributes: Object.fromEntries(pairs('--set', values.set)),
    reorderMs: span(values.reorder),
    top: count(values.top),
    skipBad: values['skip-bad'] ?? false,
    json: values.json ?? false,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        rules: { type: 'string' },
        format: { type: 'string' },
        map: { type: 'string', multiple: true, default: [] },
        set: { type: 'string', multiple: true, default: [] },
        reorder: { type: 'string', default: '5m' },
        top: { type: 'string', default: '10' },
        'skip-bad': { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageFault(error instanceof Error ? error.message : String(error));
  }
}

function pairs(option: string, given: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    given.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1 || at === pair.length - 1) throw new UsageFault(`${option} takes NAME=VALUE, not ${pair}`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

function span(text: string): number {
  if (text === '0') return 0;
  const [, amount, unit] = /^(\d{1,6})(ms|s|m|h)$/.exec(text) ?? [];
  if (amount === undefined || unit === undefined) throw new UsageFault(`--reorder takes a span such as 30s or 5m, not ${text}`);
  return Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

function count(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new UsageFault(`--top takes a number from 1 to 9999, not ${text}`);
  return Number(text);
}
