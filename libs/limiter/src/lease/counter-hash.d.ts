/** The state of a hash after a counting identity: half of what is to be hashed, done once for each rule. */
export interface HashSeed {
    readonly v0: number;
    readonly v1: number;
    readonly v2: number;
    readonly v3: number;
    readonly bytes: number;
}
/**
 * 64 bits for a counter: HalfSipHash-1-3 (Aumasson and Bernstein; Linux keys its hash tables by it) over the counting identity
 * and the attribute values, each as its length (32 bits, little endian) and its UTF-16 units, padded to 4 bytes: injective before
 * it is hashed (R11), and no string is put together. The key is random for each limiter, so that nobody can choose values that collide;
 * unlike with Murmur or FNV there are none that collide under every key. The answer is in {@link low} and {@link high}, two signed
 * 32-bit integers, until the next call.
 */
export declare class CounterHash {
    private readonly k0;
    private readonly k1;
    low: number;
    high: number;
    private v0;
    private v1;
    private v2;
    private v3;
    private bytes;
    /** @param k0,k1 the key, 32 bits each; random unless a test says otherwise. */
    constructor(k0?: number, k1?: number);
    seedOf(identity: string): HashSeed;
    /** Of a rule that counts by one attribute, as most do. */
    ofOne(seed: HashSeed, value: string): void;
    of(seed: HashSeed, values: readonly string[]): void;
    private restart;
    private absorb;
    /** The block of the length, then three rounds for each half of the answer. */
    private finish;
}
