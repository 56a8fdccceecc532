import type { ReplayRequest } from '@sluice/replay';
import { instantOf } from './records/instant-of.js';
import type { Fields } from './records/record.js';

/** A request, or why the line is none. */
export type ReadRequest = { readonly request: ReplayRequest } | { readonly fault: string };

/** Fields with a meaning of their own; all others are attributes. */
const OWN_FIELDS = ['time', 'key', 'endpoint', 'method', 'path', 'cost', 'allowed', 'status'] as const;
type OwnField = (typeof OWN_FIELDS)[number];

/** Makes requests of the fields of a log. */
export class RequestReader {
  private readonly taken: ReadonlySet<string>;
  /** Attributes that are read from a column of another name. */
  private readonly renamed: readonly (readonly [attribute: string, column: string])[];

  /** @param attributes that all requests have, where a line has no other */
  constructor(
    private readonly columns: ReadonlyMap<string, string>,
    private readonly attributes: Readonly<Record<string, string>>,
  ) {
    this.taken = new Set([...OWN_FIELDS.map((field) => this.columnOf(field)), ...columns.values()]);
    this.renamed = [...columns].filter(([field]) => !OWN_FIELDS.some((own) => own === field));
  }

  get timeColumn(): string {
    return this.columnOf('time');
  }

  read(fields: Fields): ReadRequest {
    const atMs = timeOf(this.field(fields, 'time'));
    if (atMs === undefined) return { fault: `has no time as ISO 8601 or epoch in ${this.timeColumn}` };
    const cost = costOf(this.field(fields, 'cost'));
    if (cost === undefined) return { fault: `has a cost that is no whole number from 0 in ${this.columnOf('cost')}` };
    const wasAllowed = this.happened(fields);
    if (wasAllowed === 'unclear') return { fault: `has something else than true or false in ${this.columnOf('allowed')}` };
    return { request: { atMs, cost, attributes: this.attributesOf(fields), wasAllowed } };
  }

  private attributesOf(fields: Fields): Record<string, string> {
    const attributes: Record<string, string> = { ...this.attributes };
    for (const [name, value] of Object.entries(fields)) {
      if (this.taken.has(name)) continue;
      const text = textOf(value);
      if (text !== undefined) attributes[name] = text;
    }
    for (const [attribute, column] of this.renamed) {
      const text = textOf(fields[column]);
      if (text !== undefined) attributes[attribute] = text;
    }
    const key = textOf(this.field(fields, 'key'));
    if (key !== undefined) attributes['key_id'] = key;
    const endpoint = this.endpointOf(fields);
    if (endpoint !== undefined) attributes['endpoint'] = endpoint;
    return attributes;
  }

  /** As it is, or put together of a method and a path. A query matches nothing, and would make each request an endpoint of its own. */
  private endpointOf(fields: Fields): string | undefined {
    const path = textOf(this.field(fields, 'path'));
    const given = textOf(this.field(fields, 'endpoint')) ?? (path === undefined ? undefined : `${textOf(this.field(fields, 'method')) ?? 'GET'} ${path}`);
    return given?.split('?', 1)[0];
  }

  private happened(fields: Fields): boolean | undefined | 'unclear' {
    const allowed = textOf(this.field(fields, 'allowed'))?.toLowerCase();
    if (allowed !== undefined) return allowed === 'true' || allowed === '1' ? true : allowed === 'false' || allowed === '0' ? false : 'unclear';
    const status = textOf(this.field(fields, 'status'));
    return status === undefined ? undefined : status !== '429';
  }

  private field(fields: Fields, field: OwnField): unknown {
    return fields[this.columnOf(field)];
  }

  private columnOf(field: OwnField): string {
    return this.columns.get(field) ?? field;
  }
}

function timeOf(value: unknown): number | undefined {
  const text = textOf(value);
  return text === undefined ? undefined : instantOf(text);
}

function costOf(value: unknown): number | undefined {
  const text = textOf(value) ?? '1';
  const cost = Number(text);
  return /^\d{1,16}$/.test(text) && Number.isSafeInteger(cost) ? cost : undefined;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
