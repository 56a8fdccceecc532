import type { DuckDBConnection } from '@duckdb/node-api';

/** Work in one transaction; when it fails, nothing of it holds. */
export async function inTransaction<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
  await connection.run('BEGIN TRANSACTION');
  let result: T;
  try {
    result = await work();
  } catch (error) {
    // What made it fail is what counts; after a fatal fault there is nothing to roll back.
    await connection.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
  await connection.run('COMMIT');
  return result;
}
