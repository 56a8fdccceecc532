import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import { loadFileDescriptorSetFromBuffer } from '@grpc/proto-loader';
import { grpcClient } from '../../test/grpc-client.js';
import { RLS, serviceOf } from '../../test/load-proto.js';
import { WIRE } from '../codec/wire-reader.js';
import { WireWriter } from '../codec/wire-writer.js';
import { FILE_DESCRIPTORS } from '../generated/file-descriptors.js';
import { createGrpcServer, type GrpcServer } from '../transport/create-grpc-server.js';
import { reflectionMethods } from './reflection-methods.js';

describe.each(['v1', 'v1alpha'])('R73 grpc.reflection.%s', (version) => {
  const service = `grpc.reflection.${version}.ServerReflection`;
  let server: GrpcServer;
  let client: ReturnType<typeof grpcClient>;

  beforeEach(async () => {
    server = await createGrpcServer({ methods: new Map(reflectionMethods([RLS])) }, { host: '127.0.0.1', port: 0 });
    client = grpcClient(server.port);
  });
  afterEach(async () => {
    client.close();
    await server.close(100);
  });
  async function ask(...questions: object[]): Promise<readonly Record<string, unknown>[]> {
    const call = client.stream(service, 'ServerReflectionInfo');
    for (const question of questions) call.send(question);
    call.end();
    expect(await call.ended).toBeUndefined();
    expect(call.answers.map(({ original_request }) => original_request)).toEqual(questions);
    return call.answers;
  }
  /** Names of the files of an answer. */
  const filesOf = (answer: Record<string, unknown> | undefined): string[] => {
    const { file_descriptor_proto } = answer?.['file_descriptor_response'] as { file_descriptor_proto: Buffer[] };
    return file_descriptor_proto.map((sent) => FILE_DESCRIPTORS.find(({ base64 }) => Buffer.from(base64, 'base64').equals(sent))?.name ?? 'another one').sort();
  };
  const RLS_FILES = [
    'envoy/config/core/v3/base.proto',
    'envoy/extensions/common/ratelimit/v3/ratelimit.proto',
    'envoy/service/ratelimit/v3/rls.proto',
    'envoy/type/v3/ratelimit_unit.proto',
    'google/protobuf/duration.proto',
    'google/protobuf/wrappers.proto',
  ];

  it('lists what is served, itself included', async () => {
    const [answer] = await ask({ host: 'here', list_services: '*' });
    expect(answer).toMatchObject({
      valid_host: 'here',
      list_services_response: { service: [{ name: RLS }, { name: 'grpc.reflection.v1.ServerReflection' }, { name: 'grpc.reflection.v1alpha.ServerReflection' }] },
    });
  });

  it('gives the file of a service, a method, a message or an enum, with what it imports', async () => {
    const symbols = [RLS, `${RLS}.ShouldRateLimit`, 'envoy.service.ratelimit.v3.RateLimitResponse.RateLimit.Unit'];
    const answers = await ask(...symbols.map((file_containing_symbol) => ({ file_containing_symbol })), { file_by_filename: 'envoy/service/ratelimit/v3/rls.proto' });
    for (const answer of answers) expect(filesOf(answer)).toEqual(RLS_FILES);
    const [duration] = await ask({ file_containing_symbol: 'google.protobuf.Duration' });
    expect(filesOf(duration)).toEqual(['google/protobuf/duration.proto']);
  });

  it('says what it does not know, and goes on', async () => {
    const answers = await ask(
      { file_containing_symbol: 'no.Such' },
      { file_by_filename: 'no/such.proto' },
      { file_containing_extension: { containing_type: RLS, extension_number: 5 } },
      { all_extension_numbers_of_type: RLS },
      {},
      { list_services: '' },
    );
    expect(answers.slice(0, 5).map(({ error_response }) => (error_response as { error_code: number }).error_code)).toEqual([status.NOT_FOUND, status.NOT_FOUND, status.NOT_FOUND, status.NOT_FOUND, status.INVALID_ARGUMENT]);
    expect(answers[5]).toHaveProperty('list_services_response');
  });
});

/** `google.protobuf.FileDescriptorSet`: each file in field 1. */
function descriptorSet(): Buffer {
  const writer = new WireWriter();
  for (const { base64 } of FILE_DESCRIPTORS) writer.blob(8 + WIRE.bytes, Buffer.from(base64, 'base64'));
  return writer.take(0);
}

describe('R73 descriptors', () => {
  it('are what the .proto files make', () => {
    execFileSync(process.execPath, [join(import.meta.dirname, '../../tools/generate.mjs'), '--check']);
  });

  it('say the same as the .proto files to who reads them', () => {
    const loaded = loadFileDescriptorSetFromBuffer(descriptorSet(), { keepCase: true, longs: Number, enums: Number, arrays: true });
    for (const name of [RLS, 'grpc.health.v1.Health', 'grpc.reflection.v1.ServerReflection']) {
      const read = loaded[name];
      if (read === undefined || 'format' in read) throw new Error(`no service ${name}`);
      for (const [method, definition] of Object.entries(serviceOf(name))) {
        expect(read[method]).toMatchObject({ path: definition.path, requestStream: definition.requestStream, responseStream: definition.responseStream });
      }
    }
    const sent = { domain: 'api', hits_addend: 3, descriptors: [{ entries: [{ key: 'k', value: 'v' }], limit: { requests_per_unit: 5, unit: 6 }, hits_addend: { value: 7 }, is_negative_hits: true }] };
    const ours = loaded[RLS];
    if (ours === undefined || 'format' in ours) throw new Error('no service');
    expect(ours['ShouldRateLimit']?.requestSerialize(sent)).toEqual(serviceOf(RLS)['ShouldRateLimit']?.requestSerialize(sent));
  });
});
