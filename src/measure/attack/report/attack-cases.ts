import { formatCount } from '../../../counts.js';
import {
  type AttackCase,
  type AttackReport,
  type PerturbedCase,
  type ReportedChange,
  measuredMetrics,
} from '../attack-report.js';
import type { AttackMetric } from '../../../victims/scoring.js';
import {
  type CaseColumn,
  type CaseQuery,
  type CaseSide,
  type CasesSection,
  type CaseStatus,
  type CaseTable,
  lowestRanked,
  type NameMark,
  type ReportCase,
} from '../../../report/document/case.js';
import { casesOf } from '../../../report/document/sections.js';
import { groupBy } from '../../../run/group-by.js';
import { bareName, tokensOf } from '../../../report/document/query-html.js';
import { COMPOSED_STATUS, composedCases } from '../../compositions/recomposition-section.js';
import { answerQuery, changeOf, differenceRows, goldQuery } from '../../judged-answer.js';
import { failureCase } from '../../mutants/failure-case.js';
import { countedName } from '../../../schema/name-identity.js';
import type { Database } from '../../../schema/schema.js';
import { explainAnswer } from './case-reason.js';

/** The possible outcomes for an answer, in the order of interest. */
export const CASE_STATUS_LABELS: readonly CaseStatus[] = [
  { id: 'broken', label: 'Newly wrong', tone: 'bad' },
  COMPOSED_STATUS,
  { id: 'fixed', label: 'Newly right', tone: 'good' },
  { id: 'wrong', label: 'Wrong in both', tone: 'soft' },
  { id: 'survived', label: 'Right in both', tone: 'good' },
  { id: 'none', label: 'Not judged', tone: 'soft' },
];

type Answer = AttackCase['original'];

function noteOf({ predicted, failure, cleaned }: Answer): string | null {
  if (predicted === null) return `No answer: ${failure ?? 'none was given'}.`;
  return cleaned.length === 0 ? null : `Cleaned away: ${cleaned.join(', ')}`;
}

function queriesOf(gold: string, answer: Answer, metrics: readonly AttackMetric[]): readonly CaseQuery[] {
  const isRight = metrics[0] !== undefined && answer[metrics[0]] === 'correct';
  const shown = answerQuery('Answer', answer, isRight ? null : gold, metrics);
  return [goldQuery('Gold SQL', gold), { ...shown, note: noteOf(answer) }];
}

/** Returns the marks in queries on the original tables, and on the perturbed ones. */
function marksOf({ kind, changes, gold }: PerturbedCase): readonly [readonly NameMark[], readonly NameMark[]] {
  const added = changes.map(({ newName }): NameMark => ({ name: newName, as: 'added', title: 'an added column' }));
  if (kind === 'ADD') return [[], added];
  // A table other than the changed one may still have a column of the old name; only its gold query can tell.
  const kept = new Set(tokensOf(gold).map(bareName));
  const of = (name: string, as: NameMark['as'], title: string): NameMark => ({ name, as, title });
  const stale = changes.filter(({ originalName }) => !kept.has(bareName(originalName)));
  return [
    changes.map(({ originalName, newName }) => of(originalName, 'renamed', `renamed to ${newName}`)),
    [
      ...stale.map(({ originalName, newName }) => of(originalName, 'stale', `the old name of ${newName}`)),
      ...changes.map(({ originalName, newName }) => of(newName, 'renamed', `was ${originalName}`)),
    ],
  ];
}

/** The columns of a table on both sides; those that changed alone where the database is not known. */
function columnsOf(
  names: readonly string[],
  changes: readonly ReportedChange[],
  kind: PerturbedCase['kind'],
): readonly [before: CaseColumn[], after: CaseColumn[]] {
  const [before, after]: [CaseColumn[], CaseColumn[]] = [[], []];
  for (const name of names) {
    const own = changes.filter(({ originalName }) => originalName.toLowerCase() === name.toLowerCase());
    const isRenamed = kind === 'RPL' && own.length > 0;
    before.push({ name, change: isRenamed ? 'renamed' : null });
    if (!isRenamed) after.push({ name, change: null });
    after.push(...own.map(({ newName }) => ({ name: newName, change: isRenamed ? 'renamed' : 'added' }) as const));
  }
  return [before, after];
}

/** The changed tables, whole where the database is known. */
function tablesOf(
  database: Database | undefined,
  { changes, kind }: Pick<PerturbedCase, 'changes' | 'kind'>,
): readonly (readonly [CaseTable, CaseTable])[] {
  const known = database?.tables ?? [];
  return [...new Set(changes.map(({ table }) => table))].map((name) => {
    const isIt = (own: string): boolean => countedName(own) === countedName(name);
    const table = known.find((one) => isIt(one.name)) ?? known.find((one) => isIt(one.originalName));
    const own = changes.filter((change) => change.table === name);
    const names = table?.columns.map(({ originalName }) => originalName) ?? own.map((one) => one.originalName);
    const [before, after] = columnsOf([...new Set(names)], own, kind);
    return [
      { name, columns: before },
      { name, columns: after },
    ] as const;
  });
}

/** An example on its original tables, and on perturbed ones. */
export function attackSides(
  one: AttackCase,
  variant: PerturbedCase,
  metrics: readonly AttackMetric[],
  database?: Database,
  seeds = `seed ${variant.seed}`,
): readonly [CaseSide, CaseSide] {
  const [before, after] = marksOf(variant);
  const tables = tablesOf(database, variant);
  const side = (label: string, at: 0 | 1, marks: CaseSide['marks'], queries: CaseSide['queries']): CaseSide => {
    return { label, question: null, tables: tables.map((both) => both[at]), marks, queries, results: [] };
  };
  return [
    side('Original tables', 0, before, queriesOf(one.gold, one.original, metrics)),
    side(`${variant.kind}, ${seeds}`, 1, after, queriesOf(variant.gold, variant, metrics)),
  ];
}

/** The case of an example on tables that were drawn alike. */
function caseOf(
  one: AttackCase,
  draws: readonly [PerturbedCase, ...PerturbedCase[]],
  metrics: readonly AttackMetric[],
  database: Database | undefined,
): ReportCase {
  const [variant] = draws;
  const { kind, changes, queries, seed } = variant;
  const [metric] = metrics;
  const status = (metric && changeOf(one.original[metric], variant[metric])) ?? 'none';
  const arrow = kind === 'RPL' ? ' → ' : ' + ';
  const gloss = changes.map(({ column, candidate }) => `${column}${arrow}${candidate}`).join('; ');
  const seedWords = `seed${draws.length === 1 ? '' : 's'} ${draws.map((draw) => draw.seed).join(', ')}`;
  const { reason, kind: because } = explainAnswer(one, variant, status);
  return {
    id: `${one.id}/${kind}/${seed}`,
    question: one.question,
    gloss: `${kind}: ${gloss === '' ? 'nothing to perturb' : gloss}`,
    status,
    facets: {
      condition: kind,
      ...(because !== null && { reason: because }),
      ...(one.hardness !== null && { hardness: one.hardness }),
      database: one.dbId,
    },
    reason,
    given: differenceRows(variant.rows, 'on the perturbed tables'),
    sides: attackSides(one, variant, metrics, database, seedWords),
    notes: [
      kind === 'RPL' ? 'Columns renamed,' : 'Columns added,',
      `${seedWords}.`,
      ...(queries > 1 ? [`${formatCount(queries)} questions were asked to find it.`] : []),
    ],
  };
}

/** The cases of an example: draws that changed the same columns in the same way, and were answered alike, are one. */
function drawnAlike({ perturbed }: AttackCase): readonly (readonly [PerturbedCase, ...PerturbedCase[]])[] {
  const drawn = groupBy(perturbed, ({ kind, changes, gold, predicted, failure }) =>
    JSON.stringify([kind, changes, gold, predicted, failure]),
  );
  return [...drawn.values()];
}

/** How much a case shows by itself: an answer that fell for the new name, on few changes, in few words. */
function tellingRank({ reason, facets, question, sides, gloss }: ReportCase): number {
  const because = ['added column', 'old name'].includes(facets['reason'] ?? '') ? 0 : 400;
  const answered = sides.every(({ queries }) => queries.every(({ sql }) => sql !== null)) ? 0 : 1000;
  const length = question.length + gloss.length + (sides[0].queries[0]?.sql?.length ?? 0);
  return because + answered + length + (reason === null ? 1000 : 0);
}

/** The case that shows best what the attack does; null where no answer turned wrong. */
function tellingCase(cases: readonly ReportCase[]): string | null {
  const broken = cases.filter(({ status }) => status === 'broken');
  return lowestRanked(broken, tellingRank)?.id ?? null;
}

/** All cases of an attack; with `databases` they show the whole of each changed table. */
export function attackCases(report: AttackReport, databases: readonly Database[]): CasesSection {
  const metrics = measuredMetrics(report.scores);
  const byId = new Map(databases.map((database) => [database.id, database]));
  const cases = [
    ...report.cases.flatMap((one) => drawnAlike(one).map((draws) => caseOf(one, draws, metrics, byId.get(one.dbId)))),
    ...(report.mutants?.failures ?? []).map((failure) => failureCase(failure, 'broken')),
    ...composedCases(report.compositions),
  ];
  return casesOf(CASE_STATUS_LABELS, ['condition', 'reason', 'hardness', 'database'], cases, tellingCase(cases));
}
