// Makes the descriptors of the .proto files that reflection hands out: node tools/generate.mjs [--check]
// --check writes nothing, and fails when what is there is not what would be written.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

// protobufjs comes with @grpc/proto-loader, and is CommonJS; its descriptor part adds itself to it.
const require = createRequire(createRequire(import.meta.url).resolve('@grpc/proto-loader'));
const protobuf = require('protobufjs');
require('protobufjs/ext/descriptor');

const root = join(import.meta.dirname, '../proto');
const target = join(import.meta.dirname, '../src/generated/file-descriptors.ts');
const ROOTS = [
  'envoy/service/ratelimit/v3/rls.proto',
  'grpc/health/v1/health.proto',
  'grpc/reflection/v1/reflection.proto',
  'grpc/reflection/v1alpha/reflection.proto',
];

/** What a file imports, read from its text: what is parsed has it resolved away. */
function importsOf(file) {
  return [...readFileSync(join(root, file), 'utf8').matchAll(/^import "(.+)";$/gm)].map(([, imported]) => imported);
}

/** Imported ones first. */
function inOrder(files, seen = []) {
  for (const file of files) {
    inOrder(importsOf(file), seen);
    if (!seen.includes(file)) seen.push(file);
  }
  return seen;
}

const loaded = new protobuf.Root();
loaded.resolvePath = (_origin, file) => join(root, file);
loaded.loadSync(inOrder(ROOTS), { keepCase: true });
loaded.resolveAll();
const set = loaded.toDescriptor('proto3');

/** One package is one file here. */
function descriptorOf(file) {
  const name = /^package (.+);$/m.exec(readFileSync(join(root, file), 'utf8'))[1];
  const dependency = importsOf(file);
  // google.protobuf alone has two files: each has the messages that its text names.
  const text = readFileSync(join(root, file), 'utf8');
  const whole = set.file.find((each) => each.package === name);
  const messageType = whole.messageType.filter((each) => new RegExp(`^message ${each.name} `, 'm').test(text));
  const enumType = whole.enumType.filter((each) => new RegExp(`^enum ${each.name} `, 'm').test(text));
  const FileDescriptorProto = set.file[0].constructor;
  const descriptor = FileDescriptorProto.create({ name: file, package: name, dependency, messageType, enumType, service: whole.service, syntax: 'proto3' });
  return Buffer.from(FileDescriptorProto.encode(descriptor).finish()).toString('base64');
}

/** Full names of what a file defines. */
function symbolsOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const symbols = [];
  const scopes = [/^package (.+);$/m.exec(text)[1]];
  for (const line of text.split('\n')) {
    const opened = /^\s*(message|enum|service|oneof) (\w+) \{/.exec(line);
    if (opened) {
      const full = opened[1] === 'oneof' ? scopes.at(-1) : `${scopes.at(-1)}.${opened[2]}`;
      if (opened[1] !== 'oneof') symbols.push(full);
      scopes.push(full);
    } else if (/^\s*\}/.test(line)) scopes.pop();
    const method = /^\s*rpc (\w+)\(/.exec(line);
    if (method) symbols.push(`${scopes.at(-1)}.${method[1]}`);
  }
  return symbols;
}

const list = (values) => `[${values.map((value) => `'${value}'`).join(', ')}]`;
const entries = inOrder(ROOTS).map((file) => `  {\n    name: '${file}',\n    imports: ${list(importsOf(file))},\n    symbols: ${list(symbolsOf(file))},\n    base64: '${descriptorOf(file)}',\n  },`);
const made = `// Generated from proto/ by \`npm run generate\`; do not edit.
import type { FileDescriptor } from '../reflection/file-descriptor.js';

export const FILE_DESCRIPTORS: readonly FileDescriptor[] = [
${entries.join('\n')}
];
`;

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const there = existsSync(target) ? readFileSync(target, 'utf8') : '';
if (!values.check) writeFileSync(target, made);
else if (there !== made) {
  console.error('src/generated/file-descriptors.ts is not what proto/ makes: npm run generate');
  process.exitCode = 1;
}
