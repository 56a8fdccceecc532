import pg from 'pg';

/** Runs one piece of work on its own connection. */
export async function withPostgres<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined); // The query that is under way rejects with the same error.
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
