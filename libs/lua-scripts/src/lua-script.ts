/** A Lua script as `npm run generate` embeds it. */
export interface LuaScript {
  /** Its file under src/lua, without the ending. */
  readonly name: string;
  /** Hex SHA-1 of `source`: what EVALSHA takes. */
  readonly sha1: string;
  /** What each KEYS slot holds, by the head comment of the file. */
  readonly keys: readonly string[];
  /** What each ARGV slot holds, by the head comment of the file. */
  readonly args: readonly string[];
  /** Without comments and indentation. */
  readonly source: string;
}
