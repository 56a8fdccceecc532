import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './find-chromium.js';

/**
 * A headless browser with a profile of its own. It looks for nothing on the network by itself. As root it runs without its sandbox, which it has no
 * use for there: it opens pages of this machine alone.
 */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await findChromium(),
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
