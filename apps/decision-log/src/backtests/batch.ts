import { setImmediate as turnOfOthers } from 'node:timers/promises';
import type { DecisionColumns } from '../store/decision-columns.js';
import { pickRows, rowsBetween } from '../store/join-columns.js';

/** Copied in some ms. */
const PIECE_ROWS = 8_192;

/** Rows that go out, or wait. */
export interface Piece extends DecisionColumns {
  /** Their times as they came. */
  readonly ownMs: Float64Array;
}

/** Rows in order, copied when they are asked for, with a turn of others between two pieces. */
export class Batch {
  readonly length: number;

  /**
   * @param rows their order; undefined: as they are
   * @param atMs in that order, the time of each, or that of an earlier one of its producer where that is later
   */
  constructor(
    private readonly columns: DecisionColumns | undefined,
    private readonly rows: Int32Array | undefined,
    readonly atMs: Float64Array,
  ) {
    this.length = atMs.length;
  }

  async *pieces(from: number, to: number): AsyncGenerator<Piece> {
    const { columns, rows, atMs } = this;
    if (columns === undefined || from >= to) return;
    if (rows === undefined) {
      const piece = rowsBetween(columns, from, to);
      yield { ...piece, ownMs: piece.atMs };
      return;
    }
    for (let start = from; start < to; start += PIECE_ROWS) {
      const end = Math.min(to, start + PIECE_ROWS);
      const piece = pickRows(columns, rows.subarray(start, end));
      yield { ...piece, ownMs: piece.atMs, atMs: atMs.subarray(start, end) };
      await turnOfOthers();
    }
  }
}
