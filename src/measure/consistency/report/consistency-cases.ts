import { COMPOSED, countedRelation, deedOf, wordsOf } from '../../../variants/relations/counted-relation.js';
import { type CasesSection, type CaseStatus, lowestRanked, type ReportCase } from '../../../report/document/case.js';
import { formatNoun } from '../../../counts.js';
import { failureCase } from '../../mutants/failure-case.js';
import type { ReportedFailure } from '../../mutants/mutant-report.js';
import { COMPOSED_STATUS, composedCases } from '../../compositions/recomposition-section.js';
import { expectedBy, type QueryChange } from '../clusters/query-change.js';
import type { ExpectedAnswer } from '../../../variants/relations/relation.js';
import { casesOf } from '../../../report/document/sections.js';
import { changeOf } from '../../judged-answer.js';
import type { ConsistencyReport, FailureCluster } from '../consistency-report.js';

type Status = 'broken' | 'changed' | 'wrong' | 'right' | 'fixed' | 'not-refused' | 'other' | 'composed';

/** The possible outcomes for an answer, in the order of interest. */
const STATUSES: readonly (CaseStatus & { readonly id: Status })[] = [
  { id: 'broken', label: 'Right, then wrong', tone: 'bad' },
  { ...COMPOSED_STATUS, id: 'composed' },
  { id: 'changed', label: 'Changed', tone: 'bad' },
  { id: 'other', label: 'Other question, wrong answer', tone: 'bad' },
  { id: 'wrong', label: 'Changed, wrong both times', tone: 'soft' },
  { id: 'right', label: 'Changed, right both times', tone: 'soft' },
  { id: 'fixed', label: 'Wrong, then right', tone: 'soft' },
  { id: 'not-refused', label: 'Not refused', tone: 'bad' },
];

const CONDITIONS: Readonly<Record<ExpectedAnswer | 'composed', string>> = {
  kept: 'Answer must stay',
  'other-query': 'Another answer is right',
  unanswerable: 'Nothing answers',
  composed: 'Composed question',
};

function statusOf({ before, after }: ReportedFailure, changes: readonly QueryChange[]): Status {
  const expected = expectedBy(changes);
  if (expected !== 'kept') return expected === 'unanswerable' ? 'not-refused' : 'other';
  const turn = changeOf(before.execution, after.execution) ?? changeOf(before.exact, after.exact) ?? 'changed';
  return turn === 'survived' ? 'right' : turn;
}

/** The evidence that one failure gives by itself. */
const REASONS: Readonly<Partial<Record<QueryChange, string>>> = {
  'SQL lost': 'The original is answered with SQL, the mutant is not.',
  'SQL added': 'The mutant is answered with SQL, the original is not.',
  unreadable: 'One of the answers can’t be read: it uses another dialect, or names that its tables lack.',
  result: 'Both answers are the same query in structure, and give different results.',
  values: 'The answers differ in values alone.',
  'wrong answer': 'The question asks for something else now, and its answer is wrong.',
  'not refused': 'The changed tables lack what the question needs, and the model writes a query anyway.',
};

/** Parts of queries as a sentence names them. */
const PART_WORDS: Readonly<Partial<Record<QueryChange, string>>> = {
  columns: 'selected columns',
  operators: 'comparison operators',
};

function reasonOf(changes: readonly QueryChange[]): string {
  const [first] = changes;
  const alone = first === undefined ? undefined : REASONS[first];
  if (alone !== undefined) return alone;
  const parts = changes.map((change) => PART_WORDS[change] ?? change);
  return `The two answers differ in ${new Intl.ListFormat('en').format(parts)}.`;
}

/** A failure as a case; `alike`: how many failures its cluster has. */
function caseOf(failure: ReportedFailure, { changes, errorType, failures }: FailureCluster): ReportCase {
  const one = failureCase(failure, statusOf(failure, changes));
  const counted = countedRelation(failure);
  const expected = expectedBy(changes);
  return {
    ...one,
    reason: reasonOf(changes),
    facets: {
      condition: CONDITIONS[expected],
      relation: wordsOf(counted),
      ...(expected === 'kept' && { reason: errorType }),
      ...(failure.hardness !== undefined && { hardness: failure.hardness }),
      database: failure.origin,
    },
    notes: [
      ...(counted === COMPOSED ? [] : [`${deedOf(counted)}.`]),
      ...(failures > 1 ? [`${formatNoun(failures, 'failure')} of this relation differ in the same parts.`] : []),
      ...one.notes,
    ],
  };
}

/** How much a case shows by itself: a right answer that turned wrong on a visible change, in few words. */
function tellingRank({ status, question, gloss, sides, given = [] }: ReportCase): number {
  const place = STATUSES.findIndex(({ id }) => id === status);
  const hasAnswers = sides.every(({ queries }) => queries.every(({ sql }) => sql !== null));
  const length = sides.flatMap(({ queries }) => queries).reduce((sum, { sql }) => sum + (sql?.length ?? 0), 0);
  const columns = sides.flatMap(({ tables }) => tables).reduce((sum, one) => sum + one.columns.length, 0);
  const hasRows = given.length > 0;
  return (
    10_000 * place +
    (hasAnswers ? 0 : 5_000) +
    (hasRows ? 0 : 300) +
    question.length +
    gloss.length +
    length +
    20 * columns
  );
}

/** The failures that a run holds, of each kind of failure the smallest ones. */
export function consistencyCases({ clusters, compositions, mutants }: ConsistencyReport): CasesSection {
  const cases = [
    ...(mutants === null ? [] : clusters).flatMap((cluster) =>
      [cluster.example, ...(cluster.others ?? [])].map((failure) => caseOf(failure, cluster)),
    ),
    ...composedCases(compositions).map(({ facets: { condition = '', ...facets }, ...one }) => ({
      ...one,
      facets: { ...facets, condition: CONDITIONS.composed, relation: condition },
    })),
  ];
  const open = lowestRanked(cases, tellingRank)?.id ?? null;
  return casesOf(STATUSES, ['condition', 'relation', 'reason', 'hardness', 'database'], cases, open);
}
