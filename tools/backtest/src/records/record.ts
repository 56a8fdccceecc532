/** One line of a log, by the names that it has there. */
export type Fields = Readonly<Record<string, unknown>>;

/** What a line holds, or why it cannot be read. */
export type Line = { readonly line: number; readonly fields: Fields } | { readonly line: number; readonly fault: string };
