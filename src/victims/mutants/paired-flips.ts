import { COMPOSED, countedRelation } from '../../metamorphic/counted-relation.js';
import { itemAt } from '../../present.js';
import { bootstrapMean } from '../../report/statistics/bootstrap.js';
import { meanOf } from '../../report/statistics/mean.js';
import { testMcNemar } from '../../report/statistics/mcnemar.js';
import { neededQuestions } from '../../report/statistics/needed-questions.js';
import { groupBy } from '../../run/group-by.js';
import { createRng } from '../../seeded-rng.js';
import type { PairedCase } from './judge-subjects.js';
import { isMeasured, pointOf } from '../judged-answer.js';
import type { PairedFlips } from './paired-report.js';
import { ANSWER_METRICS, type AnswerMetric } from '../answer-metrics.js';

/** Drops of accuracy, in points, for which it is said how many questions would show them. */
const DROPS = [1, 2, 5] as const;

/** A question with its answers: right or not on the seed, and on each mutant. */
interface PairedQuestion {
  readonly before: number;
  readonly after: readonly number[];
}

function questionsOf(cases: readonly PairedCase[], metric: AnswerMetric): readonly PairedQuestion[] {
  const measured = cases.filter((one) => isMeasured(one, metric));
  return [...groupBy(measured, ({ mutant }) => mutant.seed).values()].map((own) => ({
    before: pointOf(itemAt(own, 0).before, metric),
    after: own.map(({ after }) => pointOf(after, metric)),
  }));
}

/**
 * Checks whether a question is right on its mutants: on most of them; where as many are wrong, as it was on the seed.
 */
function isRightOnMutants({ before, after }: PairedQuestion): boolean {
  const share = meanOf(after);
  return share === 0.5 ? before === 1 : share > 0.5;
}

function flipsOf(
  key: Pick<PairedFlips, 'relation' | 'level' | 'touched'>,
  cases: readonly PairedCase[],
  seed: number,
): PairedFlips | null {
  for (const metric of ANSWER_METRICS.toReversed()) {
    const questions = questionsOf(cases, metric);
    if (questions.length === 0) continue;
    const broken = questions.filter((question) => question.before === 1 && !isRightOnMutants(question)).length;
    const mended = questions.filter((question) => question.before === 0 && isRightOnMutants(question)).length;
    const changes = questions.map(({ before, after }) => [meanOf(after) - before]);
    const { p, midP } = testMcNemar(broken, mended);
    const flipped = (broken + mended) / questions.length;
    return {
      ...key,
      metric,
      questions: questions.length,
      broken,
      mended,
      p,
      midP,
      cases: questions.reduce((sum, { after }) => sum + after.length, 0),
      before: meanOf(questions.map((question) => question.before)),
      after: meanOf(questions.map(({ after }) => meanOf(after))),
      change: bootstrapMean(changes, createRng(seed, `paired ${Object.values(key).join(' ')}`)),
      needed: DROPS.map((points) => ({ points, questions: neededQuestions(points / 100, flipped) })),
    };
  }
  return null;
}

/** Checks whether a change touches what a question is about: its gold is another one, or there is none any more. */
function isTouched({ mutant, group }: PairedCase): boolean {
  return mutant.expectation === 'unanswerable' || mutant.query !== group.seed.query;
}

/**
 * Right answers on mutants against those on their seeds, question by question: by relation, and by level where it has
 * several, apart for questions that a change touches and those that it does not. By execution where there are rows.
 * @param relations names of the relations, in the order of the table
 */
export function pairedFlips(
  cases: readonly PairedCase[],
  relations: readonly string[],
  seed: number,
): readonly PairedFlips[] {
  const withGold = cases.filter(({ group }) => group.seed.query !== null);
  const byRelation = groupBy(withGold, ({ mutant }) => countedRelation(mutant));
  return relations.flatMap((relation) => {
    const own = byRelation.get(relation) ?? [];
    const levels = [...groupBy(own, ({ mutant }) => mutant.level ?? null)];
    const parts = [[null, own] as const, ...(relation === COMPOSED ? [] : levels.filter(([level]) => level !== null))];
    return parts.flatMap(([level, part]) =>
      [true, false].flatMap((touched) => {
        const some = part.filter((one) => isTouched(one) === touched);
        const flips = some.length === 0 ? null : flipsOf({ relation, level, touched }, some, seed);
        return flips === null ? [] : [flips];
      }),
    );
  });
}
