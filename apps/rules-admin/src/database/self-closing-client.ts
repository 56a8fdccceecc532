import { Client, type ClientConfig } from 'pg';

const isTimeout = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout';

/**
 * A client that closes its connection when the server did not answer in time. pg only stops waiting: the server may still execute the
 * statement, and were it a `START TRANSACTION`, the next user of the pooled connection would find himself in a transaction that nobody
 * ends.
 */
export class SelfClosingClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    // The statement under way learns of a lost connection by itself, and the pool by its own listener. But between two statements of a transaction nobody
    // listens, and an error event that nobody listens to ends the process.
    this.on('error', () => undefined);
    const query: Client['query'] = this.query.bind(this);
    const watched = (...args: readonly unknown[]): unknown => {
      const result: unknown = Reflect.apply(query, this, args);
      if (result instanceof Promise) {
        result.catch((error: unknown) => {
          if (isTimeout(error)) this.connection.stream.destroy(new Error('Connection terminated after a query timeout'));
        });
      }
      return result;
    };
    Object.defineProperty(this, 'query', { value: watched });
  }
}
