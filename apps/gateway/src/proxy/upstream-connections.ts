import { buildConnector, Client, type Dispatcher } from 'undici';
import { ContinueFilter } from './continue-filter.js';

/** A request of which it is known whether anybody still waits for its answer. */
export interface AwaitedRequest extends Dispatcher.DispatchOptions {
  readonly isOver: () => boolean;
}

/** Connections of a `Pool` whose requests are {@link AwaitedRequest}s; its `factory`. */
export function upstreamConnections(connectTimeoutMs: number): (origin: URL, options: object) => Dispatcher {
  const connector = buildConnector({ timeout: connectTimeoutMs });

  return (origin, options) => {
    const filter = new ContinueFilter();
    let isOver = (): boolean => false;
    const connect: buildConnector.connector = (target, done) => {
      // A request that is broken off takes its connection along, and undici opens another one before it looks whether there is anything to send.
      if (isOver()) return void process.nextTick(done, new Error('nobody waits for the answer'), null);
      filter.expectHead();
      connector(target, (...[error, socket]) => {
        if (error !== null) return done(error, null);
        const push = socket.push.bind(socket);
        socket.push = (chunk: unknown, encoding) => {
          if (Buffer.isBuffer(chunk)) filter.see(chunk);
          return push(chunk, encoding);
        };
        done(null, socket);
      });
    };
    const client = new Client(origin, { ...options, connect });
    const dispatch = client.dispatch.bind(client);
    // One request at a time: the next one comes when the answer before it was read.
    client.dispatch = (request, handler) => {
      ({ isOver } = request as AwaitedRequest);
      filter.expectHead();
      return dispatch(request, handler);
    };
    return client;
  };
}
