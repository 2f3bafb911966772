import { countNoun } from '../counts.js';
import { VictimError } from '../errors.js';
import { exampleOf, type VictimAnswer, type VictimFailureKind } from './victim.js';

/** Examples whose answers, all without SQL, say that the model is called or read in the wrong way. */
const ENOUGH = 5;
/** Failures of answers that came, and held no SQL. */
const WITHOUT_SQL: readonly VictimFailureKind[] = ['empty', 'no-sql', 'bad-reply'];
/** Characters of an answer shown in a message. */
const SHOWN = 200;

const FIX =
  'A command writes a line {"id": …, "sql": "SELECT …"} for each question; an endpoint’s model answers with the SQL alone, for which --prompt-template may ask. Fix it and run the same again: nothing of this is kept as an answer.';

/** Checks whether an answer says something of tables: a query, or columns. */
export const isUsable = ({ sql, columns }: Pick<VictimAnswer, 'sql' | 'columns'>): boolean =>
  sql !== null || columns !== undefined;

/**
 * Watches the first answers of a model: one whose answers all hold no SQL is hardly bad at it, and scoring it would
 * take time and money for figures of 0%.
 */
export class FirstAnswers {
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
