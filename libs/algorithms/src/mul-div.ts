/** `quotient * divisor + remainder` is the product that was divided. */
export interface Division {
  /** Floor; 2^53-1 when it would be greater. */
  readonly quotient: number;
  /** In [0, divisor); 0 when the quotient is saturated. */
  readonly remainder: number;
}

const MAX = Number.MAX_SAFE_INTEGER;
const SATURATED: Division = { quotient: MAX, remainder: 0 };

/**
 * Exact floor and remainder of `a * b / c` for integers in [0, 2^53-1], c >= 1, without ever leaving 2^53 (R10): permits times
 * ms soon pass it (1e9 a day times the day is 8.6e16), and a rounded product would grant or keep a permit too many. The Redis
 * scripts do the same steps, since Lua numbers are doubles too (R3).
 */
export function mulDiv(a: number, b: number, c: number): Division {
  const product = a * b;
  if (product <= MAX) {
    const remainder = product % c;
    return { quotient: (product - remainder) / c, remainder };
  }
  return a < b ? doubleAndAdd(b, a, c) : doubleAndAdd(a, b, c);
}

/** The ceiling of `a * b / c`; 2^53-1 when it would be greater. */
export function mulDivUp(a: number, b: number, c: number): number {
  const { quotient, remainder } = mulDiv(a, b, c);
  return remainder === 0 ? quotient : Math.min(MAX, quotient + 1);
}

/** Walks the bits of `b` from the top, keeping what is so far `a` times its prefix as quotient and remainder of `c`. */
function doubleAndAdd(a: number, b: number, c: number): Division {
  const stepRemainder = a % c;
  const stepQuotient = (a - stepRemainder) / c;
  let bit = 1;
  while (bit <= b / 2) bit *= 2;
  let quotient = 0;
  let remainder = 0;
  for (let rest = b; bit >= 1; bit /= 2) {
    quotient *= 2;
    // Compared by subtraction: the doubled remainder could pass 2^53.
    if (remainder >= c - remainder) {
      quotient += 1;
      remainder -= c - remainder;
    } else remainder += remainder;
    if (rest >= bit) {
      rest -= bit;
      quotient += stepQuotient;
      if (remainder >= c - stepRemainder) {
        quotient += 1;
        remainder -= c - stepRemainder;
      } else remainder += stepRemainder;
    }
    if (quotient > MAX) return SATURATED;
  }
  return { quotient, remainder };
}
