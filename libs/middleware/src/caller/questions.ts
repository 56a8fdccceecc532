import type { KeyAnswer, KeySource } from './key-source.js';
import { type InLine, Lane } from './lane.js';
import type { Outage } from './outage.js';

/** When a question was asked. What it is answered was true then, or later. */
export interface Asked {
  /** Questions are numbered as they are sent: of two answers that of the greater number is the newer one, whichever comes first. */
  readonly number: number;
  readonly atMs: number;
}

/** A question about one key. */
export interface Question {
  /** `undefined` while it waits in line. */
  readonly asked: Asked | undefined;
  /** `undefined` when the source did not answer. Never rejects. */
  readonly answer: Promise<KeyAnswer | undefined>;
}

interface Open extends Question, InLine<Open> {
  readonly hash: string;
  asked: Asked | undefined;
  readonly resolve: (answer: KeyAnswer | undefined) => void;
}

export interface QuestionsOptions {
  readonly source: KeySource;
  /** Most under way about keys that are known. */
  readonly maxUnderWay: number;
  /** Most under way or in line about all other keys; the others are not asked. */
  readonly maxStrangers: number;
  readonly outage: Outage;
  readonly nowMs: () => number;
  readonly onAnswer: (hash: string, answer: KeyAnswer, asked: Asked) => void;
  readonly onFailure: (error: unknown) => void;
}

const ROOM_AT_FIRST = 32;

/**
 * Questions about keys, one a key at a time, few at once, the others in line: however many callers there are, and if all of them are doubted in one instant,
 * the control plane answers as fast as it can, and nobody is forgotten. Known keys and all others have a line each, so that neither holds up the other.
 */
export class Questions {
  private readonly open = new Map<string, Open>();
  private readonly known: Lane<Open>;
  private readonly strangers: Lane<Open>;
  private asked = 0;
  private doubted = 0;

  constructor(private readonly options: QuestionsOptions) {
    this.known = new Lane(options.maxUnderWay, ROOM_AT_FIRST);
    this.strangers = new Lane(options.maxStrangers, ROOM_AT_FIRST);
  }

  /** How many were sent. */
  get sent(): number {
    return this.asked;
  }

  /** What was asked until now is doubted, also what is answered later. */
  doubtAll(): void {
    this.doubted = this.asked;
  }

  /** @param number of the question; 0 for what was never asked here */
  isDoubted(number: number): boolean {
    return number <= this.doubted;
  }

  /** The question about a key, asked now, in line, or shared with others; `undefined` when it may not be asked now. */
  about(hash: string, isKnown: boolean): Question | undefined {
    const { outage, maxStrangers } = this.options;
    const shared = this.open.get(hash);
    if (shared !== undefined && shared.asked === undefined) {
      this.advance();
      return shared;
    }
    // One that was asked before a doubt is no answer to what is asked after it.
    if (shared?.asked !== undefined && !this.isDoubted(shared.asked.number)) return shared;
    const lane = isKnown ? this.known : this.strangers;
    if (!isKnown && lane.size >= maxStrangers) return undefined;
    if (lane.isEmpty && lane.hasRoom) return outage.mayTry() ? this.send(this.ask(hash), lane) : undefined;
    // While nobody is answered the line does not grow: who is still there after that asks then.
    const question = outage.open ? undefined : lane.push(this.ask(hash));
    this.advance();
    return question;
  }

  private ask(hash: string): Open {
    let resolve: Open['resolve'] = () => undefined;
    const answer = new Promise<KeyAnswer | undefined>((settle) => (resolve = settle));
    const question: Open = { hash, asked: undefined, answer, resolve, next: undefined };
    this.open.set(hash, question);
    return question;
  }

  /** Sends what stands first in line, as far as it is its turn. */
  private advance(): void {
    for (const lane of [this.strangers, this.known]) {
      while (!lane.isEmpty && lane.hasRoom && this.options.outage.mayTry()) {
        const question = lane.shift();
        if (question !== undefined) this.send(question, lane);
      }
    }
  }

  private send(question: Open, lane: Lane<Open>): Open {
    const { source, nowMs, outage, onAnswer, onFailure } = this.options;
    const { hash, resolve } = question;
    this.asked += 1;
    const asked = { number: this.asked, atMs: nowMs() };
    question.asked = asked;
    lane.underWay += 1;
    void source(hash)
      .then(
        (answer) => {
          outage.succeeded();
          lane.answered();
          onAnswer(hash, answer, asked);
          return answer;
        },
        (error: unknown) => {
          outage.failed();
          lane.failed();
          onFailure(error);
          return undefined;
        },
      )
      // What a log throws is no answer.
      .then(resolve, () => resolve(undefined))
      .finally(() => {
        lane.underWay -= 1;
        // After a doubt a second one may be under way.
        if (this.open.get(hash) === question) this.open.delete(hash);
        this.advance();
      });
    return question;
  }
}
