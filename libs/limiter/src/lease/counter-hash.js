import { randomInt } from 'node:crypto';
/**
 * 64 bits for a counter: HalfSipHash-1-3 (Aumasson and Bernstein; Linux keys its hash tables by it) over the counting identity
 * and the attribute values, each as its length (32 bits, little endian) and its UTF-16 units, padded to 4 bytes: injective before
 * it is hashed (R11), and no string is put together. The key is random for each limiter, so that nobody can choose values that collide;
 * unlike with Murmur or FNV there are none that collide under every key. The answer is in {@link low} and {@link high}, two signed
 * 32-bit integers, until the next call.
 */
export class CounterHash {
    /** @param k0,k1 the key, 32 bits each; random unless a test says otherwise. */
    constructor(k0 = randomInt(2 ** 32) | 0, k1 = randomInt(2 ** 32) | 0) {
        this.k0 = k0;
        this.k1 = k1;
        this.low = 0;
        this.high = 0;
        this.v0 = 0;
        this.v1 = 0;
        this.v2 = 0;
        this.v3 = 0;
        this.bytes = 0;
    }
    seedOf(identity) {
        this.v0 = this.k0;
        this.v1 = this.k1 ^ 0xee;
        this.v2 = this.k0 ^ 0x6c796765;
        this.v3 = this.k1 ^ 0x74656462;
        this.bytes = 0;
        this.absorb(identity);
        const { v0, v1, v2, v3, bytes } = this;
        return { v0, v1, v2, v3, bytes };
    }
    /** Of a rule that counts by one attribute, as most do. */
    ofOne(seed, value) {
        this.restart(seed);
        this.absorb(value);
        this.finish();
    }
    of(seed, values) {
        this.restart(seed);
        for (const value of values)
            this.absorb(value);
        this.finish();
    }
    restart(seed) {
        this.v0 = seed.v0;
        this.v1 = seed.v1;
        this.v2 = seed.v2;
        this.v3 = seed.v3;
        this.bytes = seed.bytes;
    }
    absorb(text) {
        const { length } = text;
        let { v0, v1, v2, v3 } = this;
        let word = length;
        for (let at = 0;; at += 2) {
            v3 ^= word;
            // One SipRound on 32-bit lanes.
            v0 = (v0 + v1) | 0;
            v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
            v0 = (v0 << 16) | (v0 >>> 16);
            v2 = (v2 + v3) | 0;
            v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
            v0 = (v0 + v3) | 0;
            v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
            v2 = (v2 + v1) | 0;
            v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
            v2 = (v2 << 16) | (v2 >>> 16);
            v0 ^= word;
            if (at >= length)
                break;
            word = text.charCodeAt(at);
            if (at + 1 < length)
                word |= text.charCodeAt(at + 1) << 16;
        }
        this.v0 = v0;
        this.v1 = v1;
        this.v2 = v2;
        this.v3 = v3;
        this.bytes = (this.bytes + 4 + (((length + 1) >> 1) << 2)) | 0;
    }
    /** The block of the length, then three rounds for each half of the answer. */
    finish() {
        let { v0, v1, v2, v3 } = this;
        const last = this.bytes << 24;
        v3 ^= last;
        for (let round = 0; round < 7; round += 1) {
            if (round === 1) {
                v0 ^= last;
                v2 ^= 0xee;
            }
            else if (round === 4) {
                this.low = v1 ^ v3;
                v1 ^= 0xdd;
            }
            v0 = (v0 + v1) | 0;
            v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
            v0 = (v0 << 16) | (v0 >>> 16);
            v2 = (v2 + v3) | 0;
            v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
            v0 = (v0 + v3) | 0;
            v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
            v2 = (v2 + v1) | 0;
            v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
            v2 = (v2 << 16) | (v2 >>> 16);
        }
        this.high = v1 ^ v3;
    }
}
//# sourceMappingURL=counter-hash.js.map