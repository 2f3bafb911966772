import type { ExpectedAnswer } from '../../../variants/relations/relation.js';
import { nameSpan, type PlotSection, type ReportDocument } from '../../../report/document/document.js';
import { lowSharesPlot, shareLane } from '../../../report/document/sections.js';
import { formatCount, formatNoun } from '../../../counts.js';
import { endsOf, formatPercent, formatRange } from '../../../report/figures.js';
import { describeComposed, describeRecomposition } from '../../compositions/recomposition-section.js';
import {
  type ConsistencyReport,
  type ExpectedFigures,
  expectedIn,
  figuresExpecting,
  type RankedRelation,
  type RankedRelations,
  rankRelations,
} from '../consistency-report.js';
import { describeNothingRight, hasRight } from '../../nothing-right.js';
import { deedOf, wordsOf } from '../../../variants/relations/counted-relation.js';

/** "12 of 60". */
function countsOf({ inconsistent, judged }: ExpectedFigures): string {
  return `${formatCount(inconsistent)} of ${formatCount(judged)}`;
}

/**
 * The relation that a headline names: the one that does most harm, of those with enough seeds for an interval where
 * some have.
 */
function worstOf({ harmful }: RankedRelations): RankedRelation | undefined {
  return harmful.find(({ figures }) => figures.interval !== null && endsOf(figures.interval) !== null) ?? harmful[0];
}

function describeKept(report: ConsistencyReport): string | null {
  const ranked = rankRelations(report, 'kept');
  const { harmful, calm } = ranked;
  const told = harmful.length + calm.length;
  const worst = worstOf(ranked);
  const together = figuresExpecting(report.all, 'kept');
  if (told === 0 || together === null) return null;
  const [calmOnes, toldOnes] = [formatCount(calm.length), formatNoun(told, 'relation')];
  if (worst === undefined) {
    const who = told === 1 ? deedOf(calm[0]?.relation ?? '') : `None of ${toldOnes}`;
    return told === 1
      ? `${who} changes none of ${formatNoun(together.judged, 'answer')}`
      : `${who} changes any of ${formatNoun(together.judged, 'answer')}`;
  }
  const first = `${deedOf(worst.relation)} changes ${countsOf(worst.figures)} answers`;
  if (told === 1) return first;
  return calm.length === 0
    ? `${first}; ${formatCount(told)} of ${toldOnes} change some`
    : `${first}; ${calmOnes} of ${toldOnes} change${calm.length === 1 ? 's' : ''} none`;
}

/** The result in a sentence: "Renaming tables changes 12 of 60 answers; 9 of 17 relations change none". */
export function consistencyHeadline(report: ConsistencyReport): string {
  const { all, victim, compositions, dataset } = report;
  // Answers that are all wrong stay the same for reasons that tell nothing of the model.
  if (!hasRight(report)) return describeNothingRight(dataset.seeds, null);
  const kept = describeKept(report);
  const unanswerable = figuresExpecting(all, 'unanswerable');
  const other = figuresExpecting(all, 'other-query');
  if (kept !== null) return kept;
  if (unanswerable !== null && unanswerable.judged > 0)
    return `The model answers ${countsOf(unanswerable)} questions that have no answer`;
  if (other !== null && other.judged > 0) return `${countsOf(other)} changed questions are answered wrong`;
  const composed = compositions === undefined ? null : describeRecomposition(compositions);
  return composed ?? `Nothing could be told of ${victim.id}`;
}

/** Describes the results of all mutants that ask for one kind of answer. */
function describeExpected(figures: ExpectedFigures, expected: ExpectedAnswer): string {
  const { rate, interval, judged, inconsistent } = figures;
  if (rate === null) return '';
  if (expected === 'unanswerable')
    return `Of ${formatNoun(judged, 'question')} that the changed schema can’t answer, ${formatCount(judged - inconsistent)} are refused.`;
  if (expected === 'other-query')
    return `Of ${formatNoun(judged, 'question')} that ask something else, ${formatCount(judged - inconsistent)} are answered right.`;
  const ends =
    interval === null || endsOf(interval) === null ? '' : `, ${formatRange(interval, 'questions', formatPercent)}`;
  return `In all, ${countsOf(figures)} answers change that must stay (${formatPercent(rate)}${ends}).`;
}

/** Describes what was asked, and the results. */
export function consistencyLede(report: ConsistencyReport): ReportDocument['lede'] {
  const { dataset, mutants, compositions, victim, all } = report;
  const found = expectedIn(report).map((expected) => {
    const figures = figuresExpecting(all, expected);
    return figures === null ? '' : `${describeExpected(figures, expected)} `;
  });
  const databases = formatNoun(dataset.databases, 'database');
  const asked =
    mutants === null
      ? []
      : [
          `Asked: ${formatNoun(dataset.seeds, 'question')} to ${databases}, and ${formatNoun(mutants.cases, 'mutant')} of them, on ${formatNoun(mutants.schemas, 'changed schema')}.`,
        ];
  const composed =
    compositions === undefined
      ? []
      : [
          mutants === null
            ? `${describeComposed(compositions)}, to ${databases}.`
            : ` Also asked: ${describeComposed(compositions)}.`,
        ];
  return [...found, ...asked, ...composed, ' Model: ', nameSpan(victim.description), '.'];
}

/** Relations drawn; the table has them all. */
const MOST_LANES = 5;

/** Labels of harm along the axis. */
const AXIS: Readonly<Record<ExpectedAnswer, string>> = {
  kept: 'answers that changed, with 95% intervals',
  'other-query': 'answers that are wrong, with 95% intervals',
  unanswerable: 'answers that are no refusal, with 95% intervals',
};

/** The relations that do most harm, with intervals; null where none does any. */
export function consistencyPlot(report: ConsistencyReport): PlotSection | null {
  const expected = expectedIn(report).find((one) => rankRelations(report, one).harmful.length > 0);
  if (expected === undefined) return null;
  const { harmful } = rankRelations(report, expected);
  const shown = harmful.slice(0, MOST_LANES);
  const heading = harmful.length > shown.length ? `The ${MOST_LANES} relations that do most harm` : 'Relations by harm';
  const lanes = shown.map(({ relation, figures }) => {
    const rate = figures.rate ?? 0;
    return shareLane(wordsOf(relation), rate, figures.interval, 'add', `${formatPercent(rate)}, ${countsOf(figures)}`);
  });
  return lowSharesPlot('Relations by harm, with intervals', heading, lanes, AXIS[expected]);
}
