import { forEachConcurrent } from '../run/for-each-concurrent.js';
import type { Victim, VictimAnswer, VictimContext, VictimQuestion } from './victim.js';

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
