/** What {@link CallList} keeps in an entry of its own. */
export interface ListedCall {
  readonly startedMs: number;
  /** The list's alone. */
  before: ListedCall | undefined;
  after: ListedCall | undefined;
  isListed: boolean;
}

/**
 * Calls in the order in which they were added; a call is in one list at a time. A list through the calls themselves: a Set that is added to and deleted from all the time
 * makes table after table, each of which points on to the next, so that an old one keeps all later ones, and the calls in them, until a full collection. For the same
 * reason an entry that goes loses its links.
 */
export class CallList<Call extends ListedCall> {
  private first: ListedCall | undefined;
  private last: ListedCall | undefined;
  size = 0;

  add(call: Call): void {
    call.isListed = true;
    this.size += 1;
    call.before = this.last;
    if (this.last === undefined) this.first = call;
    else this.last.after = call;
    this.last = call;
  }

  /** Nothing happens where it has gone already. */
  delete(call: Call): void {
    if (!call.isListed) return;
    const { before, after } = call;
    if (before === undefined) this.first = after;
    else before.after = after;
    if (after === undefined) this.last = before;
    else after.before = before;
    call.before = undefined;
    call.after = undefined;
    call.isListed = false;
    this.size -= 1;
  }

  /** Each of them, which may go meanwhile. */
  each(visit: (call: Call) => void): void {
    for (let call = this.first; call !== undefined; ) {
      const { after } = call;
      // Nothing else is ever added.
      visit(call as Call);
      call = after;
    }
  }

  /** The one that came first, if it came before then. */
  oldestBefore(ms: number): Call | undefined {
    const { first } = this;
    // Nothing else is ever added.
    return first !== undefined && first.startedMs <= ms ? (first as Call) : undefined;
  }
}
