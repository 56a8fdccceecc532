/** Something that callers use up and give back, and that there is only so much of. */
export class Budget {
  private used = 0;

  /** @param within of a connection: that of the whole process, which has to have room too */
  constructor(
    private readonly most: number,
    private readonly within?: Budget,
  ) {}

  /** @returns false where there is no room; nothing is taken then */
  take(amount: number): boolean {
    if (this.used + amount > this.most || this.within?.take(amount) === false) return false;
    this.used += amount;
    return true;
  }

  give(amount: number): void {
    this.used -= amount;
    this.within?.give(amount);
  }
}
