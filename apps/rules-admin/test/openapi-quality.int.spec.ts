import { Validator } from '@seriousme/openapi-schema-validator';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Described {
  readonly description?: string;
  readonly $ref?: string;
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly anyOf?: readonly Described[];
  readonly allOf?: readonly Described[];
}

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly 'x-sluice-roles'?: readonly string[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly examples?: object; readonly schema: Described }>> };
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly description?: string; readonly schema?: object }[];
  readonly responses: Readonly<Record<string, { readonly description: string; readonly headers?: Readonly<Record<string, Described>>; readonly content?: Readonly<Record<string, { readonly schema: Described }>> }>>;
}

interface Document {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Described>> };
}

const text = await readFile(join(import.meta.dirname, '../openapi.json'), 'utf8');
const document = JSON.parse(text) as Document;
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

describe('R63 the committed OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    expect(await new Validator().validate(JSON.parse(text) as Record<string, unknown>)).toEqual({ valid: true });
  });

  it('refers to nothing that is not there, and holds nothing that nobody refers to', () => {
    const referred = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name));
    expect([...referred].sort()).toEqual(Object.keys(document.components.schemas).sort());
  });

  it('keeps the operation ids that clients are generated from: one that goes or changes its name is a breaking change', async () => {
    const kept = (await readFile(join(import.meta.dirname, 'operation-ids.txt'), 'utf8')).split('\n').filter((line) => line !== '');
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(kept);
  });

  it.each(operations.map((operation) => [operation.operationId, operation] as const))('%s has a summary, a known tag, described parameters, headers and answers, and an example of its body', (_id, operation) => {
    expect(operation.summary ?? '').not.toBe('');
    expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining([...(operation.tags ?? ['none'])]));
    for (const response of Object.values(operation.responses)) {
      expect(response.description).not.toBe('');
      for (const [name, header] of Object.entries(response.headers ?? {})) expect([name, header.description ?? '']).not.toEqual([name, '']);
    }
    for (const { in: place, name, description, schema } of operation.parameters ?? []) {
      expect([place, name, schema !== undefined]).toEqual([place, name, true]);
      if (place !== 'path') expect([name, description ?? '']).not.toEqual([name, '']);
    }
    for (const { examples, schema } of Object.values(operation.requestBody?.content ?? {})) {
      expect(examples !== undefined || hasExamples(schema)).toBe(true);
    }
  });
});

/** Whether every field that must be there has an example of its own, so that Swagger UI shows a body that makes sense. */
function hasExamples(schema: Described): boolean {
  const target = schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
  return target !== undefined && JSON.stringify(target).includes('"example"');
}
