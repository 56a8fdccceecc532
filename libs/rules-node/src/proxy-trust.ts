import { parseProxyTrust, type ProxyTrust, trustedProxies } from '@sluice/middleware';
import { type Parsed, variable, type Variable } from '@sluice/platform';

/** Whose X-Forwarded-For is believed: `none`, a number of hops, or networks (R77). */
export const TRUSTED_PROXIES: Variable<ProxyTrust> = variable<ProxyTrust>('SLUICE_TRUSTED_PROXIES', { default: 'none' }, parseTrust);

function parseTrust(value: string): Parsed<ProxyTrust> {
  try {
    const trust = parseProxyTrust(value);
    trustedProxies(trust);
    return { ok: true, value: trust };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : 'it names no proxies' };
  }
}
