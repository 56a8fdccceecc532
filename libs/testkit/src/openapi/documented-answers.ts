import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** An answer, read whole. */
export interface ReadAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Its JSON; anything else where it has none. */
  readonly body: unknown;
}

interface Response {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

/** As much of the OpenAPI document as the check needs. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string; readonly responses: Readonly<Record<string, Response>> }>>>>;
}

/** `Link` is absent on the last page, `Location` where nothing was created, and the snapshot's two say something now and then only. */
const NOW_AND_THEN = new Set(['Link', 'Sluice-Published-Age', 'Sluice-Stale']);

/** Checks answers against the OpenAPI document: status, header fields, media type, body (R63). */
export class DocumentedAnswers {
  private readonly document: ApiDocument;
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false });
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly templates: readonly (readonly [template: string, pattern: RegExp])[];
  /** `operationId status` of each answer that was checked. */
  readonly seen = new Set<string>();

  constructor(document: ApiDocument) {
    this.document = document;
    this.ajv.addSchema(document, 'openapi');
    this.templates = Object.keys(document.paths)
      .map((template): readonly [string, RegExp] => [template, new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '([^/?]+)')}$`)])
      // `/v1/keys:lookup` before `/v1/keys/{key_id}`, and `…/{rule_id}:rollback` before `…/{rule_id}`.
      .sort(([a], [b]) => a.split('{').length - b.split('{').length || b.length - a.length);
  }

  /** Throws with what the document does not say. A header that it calls `required: false` is there now and then. Paths and methods that are no operations are nobody's promise. */
  check(method: string, url: string, answer: ReadAnswer): void {
    // As fetch sends it: without dot segments.
    const path = new URL(url, 'http://localhost').pathname;
    const found = this.templates.filter(([, pattern]) => pattern.test(path)).map(([template]) => template);
    const template = found.find((each) => each.includes(':')) ?? found[0];
    const operation = template === undefined ? undefined : this.document.paths[template]?.[method.toLowerCase()];
    if (template === undefined || operation === undefined) return;
    const where = `${operation.operationId} ${answer.status}`;
    const response = operation.responses[String(answer.status)];
    if (response === undefined) throw new Error(`${where} is not in the OpenAPI document: ${answer.text.slice(0, 300)}`);
    this.seen.add(where);
    for (const [name, { required }] of Object.entries(response.headers ?? {})) {
      if (required !== false && !NOW_AND_THEN.has(name) && !answer.headers.has(name)) throw new Error(`${where} lacks the header ${name} of the OpenAPI document`);
    }
    if (method !== 'HEAD') this.checkBody(template, method, answer, response, where);
  }

  private checkBody(template: string, method: string, answer: ReadAnswer, { content }: Response, where: string): void {
    if (content === undefined) {
      if (answer.text !== '') throw new Error(`${where} has a body, and the OpenAPI document says none`);
      return;
    }
    const mediaType = (answer.headers.get('content-type') ?? '').split(';')[0] ?? '';
    if (content[mediaType] === undefined) throw new Error(`${where} is ${mediaType}, and the OpenAPI document says ${Object.keys(content).join(', ')}`);
    if (!mediaType.includes('json')) return;
    const validate = this.validator(['paths', template, method.toLowerCase(), 'responses', String(answer.status), 'content', mediaType, 'schema']);
    if (!validate(answer.body)) throw new Error(`${where} is not as the OpenAPI document says: ${this.ajv.errorsText(validate.errors)}\n${answer.text.slice(0, 500)}`);
  }

  private validator(path: readonly string[]): ValidateFunction {
    const pointer = path.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
    const known = this.validators.get(pointer);
    if (known !== undefined) return known;
    const made = this.ajv.compile({ $ref: `openapi#/${pointer}` });
    this.validators.set(pointer, made);
    return made;
  }
}
