import { WIRE, WireReader } from '../codec/wire-reader.js';

/** Field numbers of what `ServerReflectionRequest` may ask. */
const QUESTIONS = { 3: 'file', 4: 'symbol', 5: 'extension', 6: 'extensions', 7: 'services' } as const;
const HOST = 1;

/** `grpc.reflection.v1.ServerReflectionRequest`; that of v1alpha is the same on the wire. */
export interface ReflectionRequest {
  readonly host: string;
  /** The last of the questions counts, as for any oneof. */
  readonly question: (typeof QUESTIONS)[keyof typeof QUESTIONS] | undefined;
  /** File name, symbol, or type, by the question. */
  readonly subject: string;
}

/** @throws WireError for what is none */
export function decodeReflectionRequest(message: Buffer): ReflectionRequest {
  const reader = new WireReader();
  reader.open(message);
  let host = '';
  let question: ReflectionRequest['question'];
  let subject = '';
  while (reader.hasMore()) {
    const tag = reader.tag();
    const field = tag >>> 3;
    if ((tag & 7) !== WIRE.bytes) reader.skip(tag);
    else if (field === HOST) host = reader.string();
    else if (field in QUESTIONS) {
      question = QUESTIONS[field as keyof typeof QUESTIONS];
      // That one is a message, of which nothing here is known anyway: proto3 has no extensions.
      if (question === 'extension') reader.skip(tag);
      else subject = reader.string();
    } else reader.skip(tag);
  }
  return { host, question, subject };
}
