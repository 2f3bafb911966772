import { COMPOSED, countedRelation } from '../../variants/relations/counted-relation.js';
import { itemAt } from '../../present.js';
import { meanOf } from '../../report/statistics/mean.js';
import { comparePairs, type PairedPoints, testPairs } from '../../report/statistics/paired-points.js';
import { neededQuestions } from '../../report/statistics/mcnemar.js';
import { groupBy } from '../../run/group-by.js';
import { createRng } from '../../seeded-rng.js';
import type { PairedCase } from './judge-subjects.js';
import { isMeasured, pointOf } from '../judged-answer.js';
import type { PairedFlips } from './mutant-report.js';
import { ANSWER_METRICS, type AnswerMetric } from '../../victims/scoring.js';

/** Drops of accuracy, in points, for which it is said how many questions would show them. */
const DROPS = [1, 2, 5] as const;

/** What each question scores on its seed, and in the mean on its mutants. */
export function questionPairs(cases: readonly PairedCase[], metric: AnswerMetric): readonly PairedPoints[] {
  const measured = cases.filter((one) => isMeasured(one, metric));
  return Array.from(
    groupBy(measured, ({ mutant }) => mutant.seed),
    ([cluster, own]) => ({
      cluster,
      first: pointOf(itemAt(own, 0).before, metric),
      second: meanOf(own.map(({ after }) => pointOf(after, metric))),
    }),
  );
}

/** Says whether a question is right on most of its mutants; where as many are wrong, as it was on the seed. */
function byMajority({ cluster, first, second }: PairedPoints): PairedPoints {
  return { cluster, first, second: second === 0.5 ? first : Number(second > 0.5) };
}

function flipsOf(
  key: Pick<PairedFlips, 'relation' | 'level' | 'touched'>,
  cases: readonly PairedCase[],
  seed: number,
): PairedFlips | null {
  for (const metric of ANSWER_METRICS.toReversed()) {
    const pairs = questionPairs(cases, metric);
    if (pairs.length === 0) continue;
    const { first, second, difference } = comparePairs(
      pairs,
      createRng(seed, `paired ${Object.values(key).join(' ')}`),
    );
    const { onlyFirst, onlySecond, p, midP } = testPairs(pairs.map(byMajority));
    const flipped = (onlyFirst + onlySecond) / pairs.length;
    return {
      ...key,
      metric,
      questions: pairs.length,
      broken: onlyFirst,
      mended: onlySecond,
      p,
      midP,
      cases: cases.filter((one) => isMeasured(one, metric)).length,
      before: first,
      after: second,
      change: difference,
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
