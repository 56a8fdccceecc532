import { aptInstall } from '../find/apt-install.js';
import { findOnPath } from '../find/find-on-path.js';

/** Names that the browser goes by. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The path of Chromium or Chrome: `SLUICE_TEST_CHROMIUM`, else from `PATH`, else installed by apt-get when root on Debian. No npm package ships one that is not downloaded elsewhere. */
export async function findChromium(): Promise<string> {
  const given = process.env['SLUICE_TEST_CHROMIUM'];
  if (given !== undefined && given !== '') return given;
  for (const name of NAMES) {
    const path = findOnPath(name);
    if (path !== undefined) return path;
  }
  const installed = await aptInstall('chromium', 'chromium');
  if (installed !== undefined) return installed;
  throw new Error(
    'Neither Chromium nor Chrome is on PATH, and it can be installed from here only as root on Debian or Ubuntu. ' +
      'Install one (apt-get install chromium), or name its program in SLUICE_TEST_CHROMIUM.',
  );
}
