import { readFileSync } from 'node:fs';
import { ConfigError } from '@sluice/platform';
import { type AbuseRules, NO_ABUSE_RULES } from './pattern.js';
import { readAbuseRules } from './read-abuse-rules.js';

/**
 * The patterns of a file; none where none is named.
 * @throws ConfigError with all faults, or why the file cannot be read
 */
export function loadAbuseRules(file: string | undefined): AbuseRules {
  if (file === undefined) return NO_ABUSE_RULES;
  return readAbuseRules(textOf(file));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError([`SLUICE_ABUSE_FILE: ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`]);
  }
}
