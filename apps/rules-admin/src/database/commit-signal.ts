import { Injectable } from '@nestjs/common';

/**
 * Says within this process that a version was committed which nodes have to learn of. A hint that makes things fast: a crash loses it, and other
 * replicas do not hear it, so that nothing may rest on it alone.
 */
@Injectable()
export class CommitSignal {
  private readonly listeners: (() => void)[] = [];

  /** For as long as the app lives. A listener does not throw. */
  onCommit(listener: () => void): void {
    this.listeners.push(listener);
  }

  committed(): void {
    for (const listener of this.listeners) listener();
  }
}
