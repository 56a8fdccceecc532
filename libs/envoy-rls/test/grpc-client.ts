import { Client, type ClientDuplexStream, credentials, type MethodDefinition, type ServiceError } from '@grpc/grpc-js';
import { serviceOf } from './load-proto.js';

type Any = Readonly<Record<string, unknown>>;

/** The official client on one port. */
export function grpcClient(port: number): {
  call(service: string, method: string, message: object): Promise<Any | ServiceError>;
  /** A call of many answers; what comes is gathered. */
  stream(service: string, method: string): { send(message: object): void; end(): void; cancel(): void; readonly answers: Any[]; readonly ended: Promise<ServiceError | undefined> };
  close(): void;
} {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  const definitionOf = (service: string, method: string): MethodDefinition<object, Any> => {
    const found = serviceOf(service)[method];
    if (found === undefined) throw new Error(`no method ${method}`);
    return found as MethodDefinition<object, Any>;
  };
  return {
    call(service, method, message) {
      const { path, requestSerialize, responseDeserialize } = definitionOf(service, method);
      return new Promise((resolve) => {
        client.makeUnaryRequest(path, requestSerialize, responseDeserialize, message, (error, answer) => resolve(error ?? answer ?? {}));
      });
    },
    stream(service, method) {
      const { path, requestSerialize, responseDeserialize } = definitionOf(service, method);
      const call: ClientDuplexStream<object, Any> = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize);
      const answers: Any[] = [];
      call.on('data', (answer: Any) => answers.push(answer));
      const ended = new Promise<ServiceError | undefined>((resolve) => {
        call.on('error', (error: ServiceError) => resolve(error));
        call.on('end', () => setImmediate(() => resolve(undefined)));
      });
      return { send: (message) => void call.write(message), end: () => call.end(), cancel: () => call.cancel(), answers, ended };
    },
    close: () => client.close(),
  };
}
