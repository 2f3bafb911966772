import { z } from 'zod';
import type { EntailmentPair, EntailmentScore } from '../stage.js';
import { readJsonAnswer } from './json-answer.js';

const probability = z.number().min(0).max(1);

/** The fields of a judgment; the last three are the reading. */
export const JUDGMENT_FIELDS = {
  entailment: probability,
  replacement: probability,
  addition: probability,
  topic: probability,
};

const judgmentFormat = z.strictObject(JUDGMENT_FIELDS);
const answerFormat = z.strictObject({ judgments: z.array(judgmentFormat) });

/** How surely the second statement of a pair says the same as the first, and how its name would be taken for that one's. */
export type Judgment = Readonly<z.infer<typeof judgmentFormat>>;

/**
 * Reads an answer about so many pairs: one JSON object with a judgment for each, in their order, and nothing else; about
 * one pair, the judgment may stand alone. Null where it is another answer: nobody could tell which pair is meant.
 */
export function readJudgments(answer: string, pairs: number): readonly Judgment[] | null {
  const json = readJsonAnswer(answer);
  const alone = pairs === 1 ? judgmentFormat.safeParse(json).data : undefined;
  const judgments = alone === undefined ? answerFormat.safeParse(json).data?.judgments : [alone];
  return judgments?.length === pairs ? judgments : null;
}

/** Nearest to 0 and 1 that a probability is taken for in its log odds, which have no end. */
const LEAST_ODDS = 1e-6;

/** A judgment as a judge's score; a model that is asked for sameness alone knows no contradiction. */
export function scoreOfJudgment({ entailment, ...reading }: Judgment): EntailmentScore {
  const p = Math.min(1 - LEAST_ODDS, Math.max(LEAST_ODDS, entailment));
  const entailmentLogit = Math.log(p / (1 - p));
  return { entailment, neutral: 1 - entailment, contradiction: 0, entailmentLogit, reading };
}

/** A line of a file of judgments. */
export interface RecordedJudgment extends EntailmentPair, Judgment {}

/** A pair's id in judgments. */
export function pairId({ premise, hypothesis }: EntailmentPair): string {
  return `${premise} → ${hypothesis}`;
}

/** Keeps what was judged of pairs, to be recorded: a cache of scores is no part of a run. */
export class JudgmentLog {
  readonly #judged = new Map<string, RecordedJudgment>();

  readonly add = ({ premise, hypothesis }: EntailmentPair, { entailment, reading }: EntailmentScore): void => {
    const { replacement = 0, addition = 0, topic = 0 } = reading ?? {};
    const judgment = { premise, hypothesis, entailment, replacement, addition, topic };
    this.#judged.set(pairId(judgment), judgment);
  };

  /** Each pair once, in an order of their own: that in which a service answers leaves no trace. */
  get judgments(): readonly RecordedJudgment[] {
    return [...this.#judged].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, judgment]) => judgment);
  }
}
