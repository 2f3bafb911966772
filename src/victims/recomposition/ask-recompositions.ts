import { mustGet } from '../../present.js';
import type { RunHost } from '../../run/run-host.js';
import type { Database } from '../../schema/schema.js';
import type { QuerySource } from '../../sql/execution/query-protocol.js';
import type { AnswerCache, LazyQuestion } from '../answer-cache.js';
import type { AnswerScore, AnswerScorer, AnswerToScore } from '../answer-scorer.js';
import type { ResultDifference } from '../../report/result-difference.js';
import { isSettled, type VictimAnswer, type VictimQuestion } from '../victim.js';
import { recomposedQuestions } from './load-recompositions.js';
import type { RecomposedCase, RecomposedQuestion } from './recomposed-case.js';

/** The schemas and rows that composed questions and their parents are asked of. */
export interface RecomposedWorld {
  /** Returns the question to a victim. */
  questionOf(question: RecomposedQuestion): VictimQuestion;
  schemaOf(dbId: string): Database;
  /** Returns the source that queries read; null if there are no rows. */
  sourceOf(dbId: string): QuerySource | null;
}

/** A question with its answer, and what the metrics say of it. */
export interface JudgedQuestion {
  readonly asked: RecomposedQuestion;
  readonly answer: VictimAnswer;
  readonly score: AnswerScore;
}

/** A composition and its parents, judged. */
export interface JudgedRecomposition {
  readonly case: RecomposedCase;
  readonly child: JudgedQuestion;
  readonly parents: readonly [base: JudgedQuestion, element: JudgedQuestion];
  /** True if one of the three has no answer for a reason that may pass: then it counts in no figure. */
  readonly isOpen: boolean;
}

/** The means of asking and scoring composed questions. */
export interface RecompositionAsking {
  readonly book: AnswerCache;
  readonly scorer: AnswerScorer;
  readonly world: RecomposedWorld;
}

/** Lists the questions for compositions and their parents: parents first, each once. */
export function askedRecompositions(
  cases: readonly RecomposedCase[],
  { questionOf }: Pick<RecomposedWorld, 'questionOf'>,
): readonly LazyQuestion[] {
  return recomposedQuestions(cases).map((asked) => ({ id: asked.id, make: () => questionOf(asked) }));
}

function answerToScore(
  { id, dbId, query }: RecomposedQuestion,
  { book, world }: Omit<RecompositionAsking, 'scorer'>,
): AnswerToScore {
  return {
    id: `recomposition ${id}`,
    pair: () => ({
      group: id,
      database: world.schemaOf(dbId),
      gold: query,
      predicted: mustGet(book.get(id), 'book.get(id)').sql ?? '',
    }),
    source: () => world.sourceOf(dbId),
  };
}

/** Scores the answers to `askedRecompositions`; in the order of the cases. */
export async function scoreRecompositions(
  cases: readonly RecomposedCase[],
  asking: RecompositionAsking,
  host: RunHost,
): Promise<readonly JudgedRecomposition[]> {
  const questions = recomposedQuestions(cases);
  const answerOf = (id: string): VictimAnswer => mustGet(asking.book.get(id), 'asking.book.get(id)');
  const scores = await asking.scorer.score(
    questions.map((asked) => answerToScore(asked, asking)),
    host,
  );
  const judged = new Map(
    questions.map((asked, i): readonly [string, JudgedQuestion] => [
      asked.id,
      { asked, answer: answerOf(asked.id), score: mustGet(scores[i], 'scores[i]') },
    ]),
  );
  const judgedOf = ({ id }: RecomposedQuestion): JudgedQuestion => mustGet(judged.get(id), 'judged.get(id)');
  return cases.map((one) => {
    const [base, element] = one.parents;
    const [child, parents] = [judgedOf(one.child), [judgedOf(base), judgedOf(element)] as const];
    return { case: one, child, parents, isOpen: [child, ...parents].some(({ answer }) => !isSettled(answer)) };
  });
}

/** Where the results of wrong compositions differ from their gold queries', by the composition's id. */
export async function recompositionDifferences(
  failures: readonly JudgedRecomposition[],
  asking: RecompositionAsking,
  { signal }: Pick<RunHost, 'signal'>,
): Promise<ReadonlyMap<string, ResultDifference>> {
  const answers = failures.map(({ child: { asked } }) => ({ id: asked.id, answer: answerToScore(asked, asking) }));
  const found = await asking.scorer.differences(
    answers.map(({ answer }) => answer),
    signal,
  );
  return new Map(
    answers.flatMap(({ id, answer }) => {
      const difference = found.get(answer.id);
      return difference === undefined ? [] : [[id, difference] as const];
    }),
  );
}
