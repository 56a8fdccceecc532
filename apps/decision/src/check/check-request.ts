import { type FieldFault, jsonPointer } from '@sluice/platform';
import type { RequestAttributes } from '@sluice/rules';

/** A request of `POST /v1/ratelimit:check`, checked. */
export interface CheckRequest {
  readonly attributes: RequestAttributes;
  /** 0 is a peek (R9). */
  readonly cost: number;
  readonly peek: boolean;
}

export type ParsedCheck = { readonly ok: true; readonly request: CheckRequest } | { readonly ok: false; readonly faults: readonly FieldFault[] };

export const MAX_DESCRIPTORS = 32;
export const MAX_KEY_LENGTH = 128;
/** UTF-8 bytes. */
export const MAX_VALUE_BYTES = 8192;

const FIELDS: ReadonlySet<string> = new Set(['domain', 'descriptors', 'cost', 'peek']);
const DESCRIPTOR_FIELDS: ReadonlySet<string> = new Set(['key', 'value']);

/**
 * Reads `{domain, descriptors: [{key, value}], cost?, peek?}` (R72). Descriptors become request attributes by their key (`plan`,
 * `endpoint`, `key_id`, `tenant_id`, `user_id`, `ip`, any other). Nothing is converted, and all faults are reported at once.
 */
export function parseCheckRequest(body: unknown): ParsedCheck {
  if (!isObject(body)) return { ok: false, faults: [{ pointer: '', detail: 'must be a JSON object' }] };
  const faults: FieldFault[] = [];
  unknownFields(body, FIELDS, [], faults);
  const attributes = newAttributes();
  const { domain, descriptors, cost = 1, peek = false } = body;
  if (isText(domain, 1, MAX_KEY_LENGTH)) attributes['domain'] = domain;
  else faults.push({ pointer: '/domain', detail: `must be a string of 1 to ${MAX_KEY_LENGTH} characters` });
  readDescriptors(descriptors, attributes, faults);
  if (!isCost(cost)) faults.push({ pointer: '/cost', detail: 'must be an integer from 0 to 9007199254740991' });
  if (typeof peek !== 'boolean') faults.push({ pointer: '/peek', detail: 'must be true or false' });
  if (faults.length > 0 || !isCost(cost) || typeof peek !== 'boolean') return { ok: false, faults };
  return { ok: true, request: { attributes, cost, peek } };
}

function readDescriptors(descriptors: unknown, attributes: Record<string, string>, faults: FieldFault[]): void {
  if (!Array.isArray(descriptors) || descriptors.length < 1 || descriptors.length > MAX_DESCRIPTORS) {
    faults.push({ pointer: '/descriptors', detail: `must be an array of 1 to ${MAX_DESCRIPTORS} descriptors` });
    return;
  }
  descriptors.forEach((descriptor: unknown, at) => {
    const path = ['descriptors', at];
    if (!isObject(descriptor)) {
      faults.push({ pointer: jsonPointer(path), detail: 'must be an object with key and value' });
      return;
    }
    unknownFields(descriptor, DESCRIPTOR_FIELDS, path, faults);
    const { key, value } = descriptor;
    const keyFault = faultOfKey(key, attributes);
    if (keyFault !== undefined) faults.push({ pointer: jsonPointer([...path, 'key']), detail: keyFault });
    const valueFits = isText(value, 0, MAX_VALUE_BYTES) && Buffer.byteLength(value) <= MAX_VALUE_BYTES;
    if (!valueFits) faults.push({ pointer: jsonPointer([...path, 'value']), detail: `must be a string of at most ${MAX_VALUE_BYTES} bytes` });
    if (keyFault === undefined && typeof key === 'string' && valueFits) attributes[key] = value;
  });
}

function faultOfKey(key: unknown, attributes: Readonly<Record<string, string>>): string | undefined {
  if (!isText(key, 1, MAX_KEY_LENGTH)) return `must be a string of 1 to ${MAX_KEY_LENGTH} characters`;
  if (key === 'domain') return 'must not be domain, which is a field of its own';
  return Object.hasOwn(attributes, key) ? `must not repeat ${JSON.stringify(key)}` : undefined;
}

/** Well-formed Unicode only: two broken strings would be one and the same in UTF-8. */
function isText(value: unknown, min: number, max: number): value is string {
  return typeof value === 'string' && value.length >= min && value.length <= max && !/\p{Surrogate}/u.test(value);
}

function isCost(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Without a prototype, so that a descriptor named `constructor` is one like any other. */
function newAttributes(): Record<string, string> {
  return Object.create(null) as Record<string, string>;
}

function unknownFields(value: object, known: ReadonlySet<string>, path: readonly (string | number)[], faults: FieldFault[]): void {
  for (const name of Object.keys(value)) {
    if (!known.has(name)) faults.push({ pointer: jsonPointer([...path, name]), detail: 'is not a known field' });
  }
}
