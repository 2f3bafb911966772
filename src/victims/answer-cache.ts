import { mustGet } from '../present.js';
import type { ItemJournal } from '../run/item-journal.js';
import {
  exampleOf,
  isSettled,
  type Victim,
  type VictimAnswer,
  type VictimContext,
  type VictimFailureKind,
  type VictimQuestion,
} from './victim.js';
import { forEachConcurrent } from '../run/concurrency.js';
import { countNoun } from '../counts.js';
import { VictimError } from '../errors.js';

/** Examples whose answers, all without SQL, say that the model is called or read in the wrong way. */
const ENOUGH = 5;
/** Failures of answers that came, and held no SQL. */
const WITHOUT_SQL: readonly VictimFailureKind[] = ['empty', 'no-sql', 'bad-reply'];
/** Characters of an answer shown in a message. */
const SHOWN = 200;

const FIX =
  'A command writes a line {"id": …, "sql": "SELECT …"} for each question; an endpoint’s model answers with the SQL alone, for which --prompt-template may ask. Fix it and run the same again: nothing of this is kept as an answer.';

/** Checks whether an answer says something of tables: a query, or columns. */
const isUsable = ({ sql, columns }: Pick<VictimAnswer, 'sql' | 'columns'>): boolean =>
  sql !== null || columns !== undefined;

/**
 * Watches the first answers of a model: one whose answers all hold no SQL is hardly bad at it, and scoring it would
 * take time and money for figures of 0%.
 */
class FirstAnswers {
  #isKnown: boolean;
  #first: VictimAnswer | null = null;
  readonly #examples = new Set<string>();

  /** @param isKnown true if it has answered with SQL before, or isn't to be watched */
  constructor(isKnown: boolean) {
    this.#isKnown = isKnown;
  }

  /** Takes the next answer. @throws VictimError where it is the fifth example's, and none had any SQL */
  hear(answer: VictimAnswer): void {
    if (this.#isKnown) return;
    this.#isKnown = isUsable(answer);
    // A failure of another kind tells nothing of how it answers.
    if (this.#isKnown || answer.failure === null || !WITHOUT_SQL.includes(answer.failure.kind)) return;
    this.#first ??= answer;
    this.#examples.add(exampleOf(answer));
    if (this.#examples.size >= ENOUGH) throw this.#error();
  }

  /** All were asked. @throws VictimError where there were answers, and none had any SQL */
  end(): void {
    if (!this.#isKnown && this.#first !== null) throw this.#error();
  }

  #error(): VictimError {
    const { failure, raw = '' } = this.#first ?? {};
    const said = raw.trim() === '' ? '' : `: ${raw.trim().slice(0, SHOWN)}`;
    const which = `none of the first answers, to ${countNoun(this.#examples.size, 'example')}, holds SQL`;
    return new VictimError(`${which}; of the first, ${failure?.message ?? ''}${said}`, { fix: FIX });
  }
}

function* distinct(questions: Iterable<VictimQuestion>): Generator<VictimQuestion> {
  const seen = new Set<string>();
  for (const question of questions) {
    if (seen.has(question.id)) throw new RangeError(`two questions have the id ${question.id}`);
    seen.add(question.id);
    yield question;
  }
}

/** Answers that have arrived and were not taken yet, and what ended the asking. */
class Arrivals {
  readonly #waiting: VictimAnswer[] = [];
  #end: { readonly error?: unknown } | null = null;
  #wake: () => void = () => undefined;

  push(answer: VictimAnswer): void {
    this.#waiting.push(answer);
    this.#wake();
  }

  /** No more will come: all were asked, or an error ended it. */
  finish(end: { readonly error?: unknown }): void {
    this.#end ??= end;
    this.#wake();
  }

  /** The next answer, or null when all were taken; throws the error once nothing that arrived before it is left. */
  async next(): Promise<VictimAnswer | null> {
    for (;;) {
      const answer = this.#waiting.shift();
      if (answer !== undefined) return answer;
      if (this.#end !== null) {
        if ('error' in this.#end) throw this.#end.error;
        return null;
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

/**
 * Asks a victim all questions, as many at a time as it takes, and hands over each answer as it arrives: one per
 * question, in the order of arrival. A question is made only when it is its turn. Store each answer before taking the
 * next, and a resumed run asks only the others (`isSettled`). When the loop ends, by its end, a `break` or an error,
 * nothing is in flight any more.
 * @throws RangeError when two questions have one id
 * @throws VictimError when the victim can't go on, after the answers that had arrived
 * @throws the signal's reason when aborted
 */
export async function* answerAll(
  victim: Victim,
  questions: Iterable<VictimQuestion>,
  context: VictimContext,
): AsyncGenerator<VictimAnswer, void, undefined> {
  context.signal.throwIfAborted();
  const stop = new AbortController();
  const leave = (): void => stop.abort(context.signal.reason);
  context.signal.addEventListener('abort', leave, { once: true });
  const arrivals = new Arrivals();
  const asking = forEachConcurrent(distinct(questions), victim.concurrency, stop.signal, async (question, signal) => {
    arrivals.push(await victim.answer(question, { ...context, signal, emit: (event) => context.emit(event) }));
  }).then(
    () => arrivals.finish({}),
    (error: unknown) => arrivals.finish({ error }),
  );
  try {
    for (let answer = await arrivals.next(); answer !== null; answer = await arrivals.next()) yield answer;
  } finally {
    context.signal.removeEventListener('abort', leave);
    stop.abort();
    await asking;
  }
}

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
  readonly #first: FirstAnswers;
  /** True if stored answers count: a model that has never given SQL may have been fixed since. */
  readonly #keepsStored: boolean;

  /** @param isWatched true if a model whose first answers all lack SQL ends the run */
  constructor(victim: Victim, journal: ItemJournal<VictimAnswer>, context: VictimContext, isWatched: boolean) {
    this.#victim = victim;
    this.#journal = journal;
    const hasAnswered = journal.results.some(({ sql }) => sql !== null);
    this.#keepsStored = !isWatched || journal.results.some(isUsable);
    this.#first = new FirstAnswers(!isWatched || this.#keepsStored);
    this.#context = { signal: context.signal, emit: (event) => context.emit(event), hasAnswered };
  }

  /** Every answer that was wanted so far and is there. */
  get answers(): readonly VictimAnswer[] {
    return [...this.#wanted].flatMap((id) => this.get(id) ?? []);
  }

  /** The answer to a question; undefined where it has to be asked. */
  get(id: string): VictimAnswer | undefined {
    const stored = this.#journal.get(id);
    if (stored === undefined || this.#fresh.has(id)) return stored;
    return this.#keepsStored && isSettled(stored) ? stored : undefined;
  }

  /** The answer to a question that was asked. @throws Error for another */
  readonly answerTo = (id: string): VictimAnswer => mustGet(this.get(id), 'this.get(id)');

  /**
   * Asks all questions that are open, as many at a time as the victim takes; `told` after each, with their number.
   * @throws VictimError where a watched model gives no SQL
   */
  async askAll(questions: Iterable<LazyQuestion>, told: (answered: number) => void): Promise<void> {
    let answered = 0;
    const open = this.#open(questions, () => told(++answered));
    for await (const answer of answerAll(this.#victim, open, this.#context)) {
      this.#store(answer);
      this.#first.hear(answer);
      told(++answered);
    }
    this.#first.end();
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
