import type { Breakers } from './breakers.js';

/** Calls that go to one server together. One that is answered is a sign of life; only when none is has the trip failed. */
export class Trip {
  private out = 0;
  private answered = false;

  constructor(
    private readonly breakers: Breakers,
    private readonly server: string,
    /** One call that finds out whether the server is back; no second one may join it. */
    readonly probe: boolean,
  ) {}

  /** One more call is part of it. */
  add(): void {
    this.out += 1;
  }

  /** A call of it was answered, or was not. */
  landed(answered: boolean): void {
    this.out -= 1;
    if (answered) {
      this.answered = true;
      this.breakers.succeeded(this.server);
    } else if (this.out === 0 && !this.answered) {
      this.breakers.failed(this.server, this.probe);
    }
  }
}
