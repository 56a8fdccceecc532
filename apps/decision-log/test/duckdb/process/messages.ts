/** What a process of the store is to do. */
export interface Orders {
  readonly dir: string;
  /** The events go on from here: all with a lower sequence were stored. */
  readonly from: number;
  /** Says `open` and does nothing more. */
  readonly onlyOpen?: boolean;
}

/** Each event of the run is a function of its sequence, so that whoever reads them knows them all. */
export const EVENTS_A_BATCH = 50;
