/**
 * The same number, as V8's small integer where it fits into 32 bits. A field that was once given another kind of number (one that came of a division, of
 * an array of doubles, `-0`) makes an object of 16 bytes for each number that it is given; for what is made for each request.
 */
export function unboxed(value: number): number {
  const small = value | 0;
  return small === value ? small : value;
}
