/** The database has not been reached yet, or its schema is not ready. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}
