import type { ItemJournal } from '../run/item-journal.js';
import { answerAll } from './answer-all.js';
import { isSettled, type Victim, type VictimAnswer, type VictimContext, type VictimQuestion } from './victim.js';

/** A question and its id; the question is made when it is asked. */
export interface LazyQuestion {
  readonly id: string;
  readonly make: () => VictimQuestion;
}

/**
 * The answers of a run, stored as they arrive: none is asked for twice. Failures that may pass are asked again by a
 * later process, not by the same.
 */
export class AnswerCache {
  readonly #victim: Victim;
  readonly #journal: ItemJournal<VictimAnswer>;
  readonly #context: VictimContext;
  /** Ids of all that was to be answered. */
  readonly #wanted = new Set<string>();
  /** Answered by this process. */
  readonly #fresh = new Set<string>();
  readonly #inFlight = new Map<string, Promise<VictimAnswer>>();

  constructor(victim: Victim, journal: ItemJournal<VictimAnswer>, context: VictimContext) {
    this.#victim = victim;
    this.#journal = journal;
    const hasAnswered = journal.results.some(({ sql }) => sql !== null);
    this.#context = { signal: context.signal, emit: (event) => context.emit(event), hasAnswered };
  }

  /** Every answer that was wanted so far and is there. */
  get answers(): readonly VictimAnswer[] {
    return [...this.#wanted].flatMap((id) => this.get(id) ?? []);
  }

  /** The answer to a question; undefined where it has to be asked. */
  get(id: string): VictimAnswer | undefined {
    const stored = this.#journal.get(id);
    return stored !== undefined && (this.#fresh.has(id) || isSettled(stored)) ? stored : undefined;
  }

  /** Asks all questions that are open, as many at a time as the victim takes; `told` after each, with their number. */
  async askAll(questions: Iterable<LazyQuestion>, told: (answered: number) => void): Promise<void> {
    let answered = 0;
    const open = this.#open(questions, () => told(++answered));
    for await (const answer of answerAll(this.#victim, open, this.#context)) {
      this.#store(answer);
      told(++answered);
    }
  }

  /** The answer to one question, asked where it is open and not on its way. */
  async ask({ id, make }: LazyQuestion, signal: AbortSignal): Promise<VictimAnswer> {
    this.#wanted.add(id);
    const known = this.get(id);
    if (known !== undefined) return known;
    const running = this.#inFlight.get(id);
    if (running !== undefined) return running;
    const asked = this.#victim
      .answer(make(), { ...this.#context, signal })
      .then((answer) => this.#store(answer))
      .finally(() => this.#inFlight.delete(id));
    this.#inFlight.set(id, asked);
    return asked;
  }

  *#open(questions: Iterable<LazyQuestion>, known: () => void): Generator<VictimQuestion> {
    for (const { id, make } of questions) {
      this.#wanted.add(id);
      if (this.get(id) === undefined) yield make();
      else known();
    }
  }

  #store(answer: VictimAnswer): VictimAnswer {
    this.#journal.append(answer.id, answer);
    this.#fresh.add(answer.id);
    return answer;
  }
}
