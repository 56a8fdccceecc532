import { WIRE, WireError } from '../codec/wire-reader.js';
import { WireWriter } from '../codec/wire-writer.js';
import type { Method, StreamingCall, StreamingHandler } from '../transport/call.js';
import { FRAME_BYTES } from '../transport/frame.js';
import { GRPC_STATUS } from '../transport/grpc-fault.js';
import { FILE_DESCRIPTORS } from '../generated/file-descriptors.js';
import { decodeReflectionRequest, type ReflectionRequest } from './reflection-request.js';

const bytes = (field: number): number => field * 8 + WIRE.bytes;
const RESPONSE = { validHost: bytes(1), originalRequest: bytes(2), files: bytes(4), extensions: bytes(5), services: bytes(6), error: bytes(7) } as const;
const VERSIONS = ['v1', 'v1alpha'] as const;

/** `grpc.reflection.v1.ServerReflection` and its `v1alpha`, which most tools still ask: what is served, and how its messages look. */
export function reflectionMethods(services: readonly string[]): readonly (readonly [string, Method])[] {
  const all = [...services, ...VERSIONS.map(serviceOf)].sort();
  return VERSIONS.map((version) => [`/${serviceOf(version)}/ServerReflectionInfo`, { kind: 'streaming', open: (call) => answering(call, all) }]);
}

function serviceOf(version: string): string {
  return `grpc.reflection.${version}.ServerReflection`;
}

function answering(call: StreamingCall, services: readonly string[]): StreamingHandler {
  return {
    message(message) {
      try {
        call.send(answerTo(decodeReflectionRequest(message), message, services));
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        call.end({ code: GRPC_STATUS.internal, message: `not a ServerReflectionRequest: ${error.message}` });
      }
    },
    halfClosed: () => call.end(),
    closed: () => undefined,
  };
}

function answerTo({ host, question, subject }: ReflectionRequest, asked: Buffer, services: readonly string[]): Buffer {
  const writer = new WireWriter();
  writer.string(RESPONSE.validHost, host);
  writer.blob(RESPONSE.originalRequest, asked);
  if (question === 'services') writeServices(writer, services);
  else if (question === 'file' || question === 'symbol') {
    const file = FILE_DESCRIPTORS.find(({ name, symbols }) => (question === 'file' ? name === subject : symbols.includes(subject)));
    if (file === undefined) writeError(writer, GRPC_STATUS.notFound, `nothing is known of ${subject}`);
    else writeFiles(writer, file.name);
  } else if (question === undefined) writeError(writer, GRPC_STATUS.invalidArgument, 'a request that asks nothing');
  else writeError(writer, GRPC_STATUS.notFound, 'there are no extensions here');
  return writer.take(FRAME_BYTES);
}

function writeServices(writer: WireWriter, services: readonly string[]): void {
  const list = writer.begin(RESPONSE.services);
  for (const name of services) {
    const service = writer.begin(bytes(1));
    writer.string(bytes(1), name);
    writer.finish(service);
  }
  writer.finish(list);
}

/** The file and all that it imports, so that a tool need not ask again. */
function writeFiles(writer: WireWriter, name: string): void {
  const response = writer.begin(RESPONSE.files);
  const sent = new Set<string>();
  const send = (wanted: string): void => {
    const file = FILE_DESCRIPTORS.find((each) => each.name === wanted);
    if (file === undefined || sent.has(wanted)) return;
    sent.add(wanted);
    writer.blob(bytes(1), Buffer.from(file.base64, 'base64'));
    for (const imported of file.imports) send(imported);
  };
  send(name);
  writer.finish(response);
}

function writeError(writer: WireWriter, code: number, message: string): void {
  const error = writer.begin(RESPONSE.error);
  writer.varint(8 + WIRE.varint, code);
  writer.string(bytes(2), message);
  writer.finish(error);
}
