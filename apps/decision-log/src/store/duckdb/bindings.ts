import { BIGINT, DOUBLE, type DuckDBConnection, type DuckDBMaterializedResult, type DuckDBPreparedStatement, type DuckDBResult, type DuckDBType, type DuckDBValue, LIST, listValue, VARCHAR } from '@duckdb/node-api';

/** The values of a statement: each comes into the text as a parameter, never as text. */
export class Bindings {
  readonly #values: DuckDBValue[] = [];
  readonly #types: DuckDBType[] = [];

  /** @returns the parameter's name in the text */
  integer(value: number): string {
    return this.#bind(BigInt(value), BIGINT);
  }

  double(value: number): string {
    return this.#bind(value, DOUBLE);
  }

  text(value: string): string {
    return this.#bind(value, VARCHAR);
  }

  texts(values: readonly string[]): string {
    return this.#bind(listValue(values), LIST(VARCHAR));
  }

  integers(values: readonly number[]): string {
    return this.#bind(listValue(values.map(BigInt)), LIST(BIGINT));
  }

  async run(connection: DuckDBConnection, sql: string): Promise<DuckDBMaterializedResult> {
    return this.#with(connection, sql, (statement) => statement.run());
  }

  /** What it resolves to is read chunk by chunk. */
  async stream(connection: DuckDBConnection, sql: string): Promise<DuckDBResult> {
    return this.#with(connection, sql, (statement) => statement.stream());
  }

  async #with<T>(connection: DuckDBConnection, sql: string, execute: (statement: DuckDBPreparedStatement) => Promise<T>): Promise<T> {
    const statement = await connection.prepare(sql);
    try {
      statement.bind(this.#values, this.#types);
      return await execute(statement);
    } finally {
      statement.destroySync();
    }
  }

  #bind(value: DuckDBValue, type: DuckDBType): string {
    this.#types.push(type);
    return `$${String(this.#values.push(value))}`;
  }
}
