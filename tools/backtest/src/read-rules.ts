import { readFile } from 'node:fs/promises';
import { plansNamedBy, proposedSnapshot, type Proposed } from '@sluice/replay';
import { validateSnapshot } from '@sluice/rules';
import { parse } from 'yaml';
import { InputFault } from './usage-fault.js';

/** A set of rules to try. */
export type TriedRules = Extract<Proposed, { readonly ok: true }>;

/**
 * Reads rules of YAML or JSON, which is YAML too: a list, or an object with `rules` and, if there are any, `plans` and `overrides`. A file without plans need not list those that its
 * rules name.
 *
 * @throws InputFault with every fault by its pointer
 */
export async function readRules(file: string): Promise<TriedRules> {
  const document = parsed(file, await text(file));
  const isList = Array.isArray(document);
  const parts = isList ? { rules: document } : isObject(document) ? document : {};
  const rules = parts['rules'];
  if (!Array.isArray(rules)) throw new InputFault(`${file}: must be a list of rules, or an object with the list rules`);
  const { plans = plansNamedBy(rules), overrides = [] } = parts;
  // Versions of a snapshot and of its rules say nothing here.
  const around = validateSnapshot({ version: 0, plans, rules: [], overrides: [] });
  if (!around.ok) throw faulty(file, around.faults);
  if (!Array.isArray(overrides)) throw new InputFault(`${file}: /overrides must be a list`);
  const proposed = proposedSnapshot(rules, around.value, isList ? '' : '/rules');
  if (!proposed.ok) throw faulty(file, proposed.faults);
  const withOverrides = validateSnapshot({ ...proposed.snapshot, overrides });
  if (!withOverrides.ok) throw faulty(file, withOverrides.faults);
  return { ...proposed, snapshot: withOverrides.value };
}

async function text(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new InputFault(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function parsed(file: string, content: string): unknown {
  try {
    return parse(content) as unknown;
  } catch (error) {
    // Not only its own errors: a ReferenceError for aliases that would fill the memory, a RangeError for what is nested too deeply.
    if (error instanceof Error) throw new InputFault(`${file}: ${error.message}`);
    throw error;
  }
}

function faulty(file: string, faults: readonly { readonly pointer: string; readonly detail: string }[]): InputFault {
  return new InputFault(faults.map(({ pointer, detail }) => `${file}: ${pointer === '' ? 'the document' : pointer} ${detail}`).join('\n'));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
