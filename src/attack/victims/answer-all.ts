import { setMaxListeners } from 'node:events';
import pLimit from 'p-limit';
import type { Victim, VictimAnswer, VictimContext, VictimQuestion } from './victim.js';

function checkDistinct(questions: readonly VictimQuestion[]): void {
  const seen = new Set<string>();
  for (const { id } of questions) {
    if (seen.has(id)) throw new RangeError(`two questions have the id ${id}`);
    seen.add(id);
  }
}

/** Answers that have arrived and were not taken yet, and the error that ended the asking. */
class Arrivals {
  readonly #waiting: VictimAnswer[] = [];
  #open: number;
  #fault: { readonly error: unknown } | null = null;
  #wake: () => void = () => undefined;

  constructor(expected: number) {
    this.#open = expected;
  }

  push(answer: VictimAnswer): void {
    this.#open--;
    this.#waiting.push(answer);
    this.#wake();
  }

  /** Only the first error counts: the others follow from it. */
  fail(error: unknown): void {
    this.#fault ??= { error };
    this.#wake();
  }

  /** The next answer, or null when all were taken; throws the error once nothing that arrived before it is left. */
  async next(): Promise<VictimAnswer | null> {
    for (;;) {
      const answer = this.#waiting.shift();
      if (answer !== undefined) return answer;
      if (this.#fault !== null) throw this.#fault.error;
      if (this.#open === 0) return null;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

/**
 * Asks a victim all questions, as many at a time as it takes, and hands over each answer as it arrives: one per
 * question, in the order of arrival. Store each before taking the next, and a resumed run asks only the others
 * (`isSettled`). When the loop ends, by its end, a `break` or an error, nothing is in flight any more.
 * @throws RangeError when two questions have one id
 * @throws ConfigError when the victim can't go on, after the answers that had arrived
 * @throws the signal's reason when aborted
 */
export async function* answerAll(
  victim: Victim,
  questions: readonly VictimQuestion[],
  context: VictimContext,
): AsyncGenerator<VictimAnswer, void, undefined> {
  checkDistinct(questions);
  context.signal.throwIfAborted();
  const stop = new AbortController();
  // Each question in flight listens.
  setMaxListeners(0, stop.signal);
  const arrivals = new Arrivals(questions.length);
  const fail = (error: unknown): void => {
    arrivals.fail(error);
    stop.abort(error);
  };
  const leave = (): void => fail(context.signal.reason);
  context.signal.addEventListener('abort', leave, { once: true });
  const inner: VictimContext = { signal: stop.signal, emit: (event) => context.emit(event) };
  const limit = pLimit(victim.concurrency);
  const asked = questions.map((question) =>
    limit(async () => {
      if (!stop.signal.aborted) arrivals.push(await victim.answer(question, inner));
    }).catch(fail),
  );
  try {
    for (let answer = await arrivals.next(); answer !== null; answer = await arrivals.next()) yield answer;
  } finally {
    context.signal.removeEventListener('abort', leave);
    stop.abort();
    await Promise.all(asked);
  }
}
