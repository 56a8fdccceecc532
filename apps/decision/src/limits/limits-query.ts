import { type FieldFault, jsonPointer } from '@sluice/platform';

/** What a caller may say of the requests it asks about. */
const ABOUT_REQUESTS = ['endpoint', 'domain'] as const;
/** What only a service may say, since it names the caller. */
const ABOUT_CALLERS = ['key_id', 'plan', 'tenant_id', 'user_id', 'ip'] as const;

export type LimitsQuery =
  | { readonly ok: true; readonly attributes: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly faults: readonly FieldFault[] };

/** Reads the query of `GET /v1/limits`; `names` is whether it may name the caller. */
export function parseLimitsQuery(query: unknown, names: boolean): LimitsQuery {
  const known: readonly string[] = names ? [...ABOUT_REQUESTS, ...ABOUT_CALLERS] : ABOUT_REQUESTS;
  const faults: FieldFault[] = [];
  const attributes: Record<string, string> = {};
  for (const [name, value] of Object.entries(query ?? {})) {
    const pointer = jsonPointer(['query', name]);
    if (!known.includes(name)) faults.push({ pointer, detail: `is not known here; known are ${known.join(', ')}` });
    else if (typeof value !== 'string' || value === '' || value.length > 1024) faults.push({ pointer, detail: 'must be given once, with 1 to 1024 characters' });
    else attributes[name] = value;
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, attributes };
}
