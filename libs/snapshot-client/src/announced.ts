/** More than nodes hear of while one chase lasts; beyond that the oldest are forgotten, which costs a repeated poll at most. */
const MAX_KNOWN = 64;

/**
 * Versions that pushes have said to exist and that are not in force yet. One that is too high, by mistake or from another environment, must not
 * hide the true ones below it.
 */
export class Announced {
  private readonly versions = new Set<number>();

  /** @returns whether that is news: a version above the one in force that has not been announced before */
  add(version: number, inForce: number): boolean {
    this.forgetUpTo(inForce);
    if (!Number.isSafeInteger(version) || version <= inForce || this.versions.has(version)) return false;
    this.versions.add(version);
    const [oldest] = this.versions;
    if (this.versions.size > MAX_KNOWN && oldest !== undefined) this.versions.delete(oldest);
    return true;
  }

  /** Whether there should be a newer version than the one in force. */
  isBeyond(inForce: number): boolean {
    this.forgetUpTo(inForce);
    return this.versions.size > 0;
  }

  /** None of them is to be had. */
  forget(): void {
    this.versions.clear();
  }

  private forgetUpTo(inForce: number): void {
    for (const version of this.versions) if (version <= inForce) this.versions.delete(version);
  }
}
