/** Numbers for texts, so that a loop over many rows compares and looks up integers. From 1 on in the order in which texts come; 0 stands for none. It only grows. */
export class TextDictionary {
  private readonly known: (string | undefined)[] = [undefined];
  private readonly codes = new Map<string, number>();

  /** Texts that it holds. */
  get size(): number {
    return this.codes.size;
  }

  /** The number of a text, a new one if it has none yet. */
  codeOf(text: string | null | undefined): number {
    if (text === undefined || text === null) return 0;
    let code = this.codes.get(text);
    if (code === undefined) {
      code = this.known.push(text) - 1;
      this.codes.set(text, code);
    }
    return code;
  }

  /** The text of a number; undefined for 0. */
  textOf(code: number): string | undefined {
    return this.known[code];
  }
}
