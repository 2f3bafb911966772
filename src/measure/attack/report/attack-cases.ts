import { formatCount } from '../../../counts.js';
import { ATTACK_METRIC_TITLES, type AttackMetric } from '../attack-metrics.js';
import type { AttackCase, AttackReport, PerturbedCase, ReportedChange } from '../attack-report.js';
import type {
  CaseColumn,
  CaseQuery,
  CasesSection,
  CaseSide,
  CaseStatus,
  CaseTable,
  NameMark,
  ReportCase,
} from '../../../report/document/case.js';
import { caseVerdict } from '../../../report/document/case-verdict.js';
import { lowestRanked } from '../../../report/document/lowest-ranked.js';
import { bareName, tokensOf } from '../../../report/document/query-html.js';
import { COMPOSED_STATUS, composedCases } from '../../compositions/composed-cases.js';
import { differenceRows } from '../../difference-case.js';
import { failureCase } from '../../mutants/failure-case.js';
import { countedName } from '../../../schema/name-identity.js';
import type { Database } from '../../../schema/schema.js';
import { explainAnswer } from './case-reason.js';
import { type CaseStatus as Status, measuredMetrics, statusOf } from './case-status.js';

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

function verdictsOf(answer: Answer, metrics: readonly AttackMetric[]): CaseQuery['verdicts'] {
  return metrics.flatMap((metric) => {
    const outcome = answer[metric] ?? null;
    return outcome === null ? [] : [caseVerdict(ATTACK_METRIC_TITLES[metric], outcome)];
  });
}

function noteOf({ predicted, failure, cleaned }: Answer): string | null {
  if (predicted === null) return `No answer: ${failure ?? 'none was given'}.`;
  return cleaned.length === 0 ? null : `Cleaned away: ${cleaned.join(', ')}`;
}

function queriesOf(gold: string, answer: Answer, metrics: readonly AttackMetric[]): readonly CaseQuery[] {
  const isRight = metrics[0] !== undefined && answer[metrics[0]] === 'correct';
  return [
    { label: 'Gold SQL', sql: gold, against: null, note: null, verdicts: [] },
    {
      label: 'Answer',
      sql: answer.predicted,
      against: isRight ? null : gold,
      note: noteOf(answer),
      verdicts: verdictsOf(answer, metrics),
    },
  ];
}

/** Returns the marks in queries on the original tables, and on the perturbed ones. */
function marksOf({ kind, changes, gold }: PerturbedCase): readonly [readonly NameMark[], readonly NameMark[]] {
  const added = changes.map(({ newName }): NameMark => ({ name: newName, as: 'added', title: 'an added column' }));
  if (kind === 'ADD') return [[], added];
  // A table other than the changed one may still have a column of the old name; only its gold query can tell.
  const kept = new Set(tokensOf(gold).map(bareName));
  const before = changes.map(({ originalName, newName }): NameMark => ({
    name: originalName,
    as: 'renamed',
    title: `renamed to ${newName}`,
  }));
  const stale = changes
    .filter(({ originalName }) => !kept.has(bareName(originalName)))
    .map(({ originalName, newName }): NameMark => {
      return { name: originalName, as: 'stale', title: `the old name of ${newName}` };
    });
  const after = changes.map(({ originalName, newName }): NameMark => ({
    name: newName,
    as: 'renamed',
    title: `was ${originalName}`,
  }));
  return [before, [...stale, ...after]];
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
  return [
    {
      label: 'Original tables',
      question: null,
      tables: tables.map(([first]) => first),
      marks: before,
      queries: queriesOf(one.gold, one.original, metrics),
      results: [],
    },
    {
      label: `${variant.kind}, ${seeds}`,
      question: null,
      tables: tables.map(([, second]) => second),
      marks: after,
      queries: queriesOf(variant.gold, variant, metrics),
      results: [],
    },
  ];
}

/** Makes the cases of an attack; what they share, such as the tables of a database, is the same object. */
class CaseMaker {
  readonly #metrics: readonly AttackMetric[];
  readonly #databases: ReadonlyMap<string, Database>;

  constructor(report: AttackReport, databases: readonly Database[]) {
    this.#metrics = measuredMetrics(report.scores);
    this.#databases = new Map(databases.map((database) => [database.id, database]));
  }

  /** The cases of an example: draws that changed the same columns in the same way, and were answered alike, are one. */
  make(one: AttackCase): readonly ReportCase[] {
    const drawn = new Map<string, PerturbedCase[]>();
    for (const variant of one.perturbed) {
      const { kind, changes, gold, predicted, failure } = variant;
      const key = JSON.stringify([kind, changes, gold, predicted, failure]);
      drawn.set(key, [...(drawn.get(key) ?? []), variant]);
    }
    return [...drawn.values()].flatMap((own) => this.#ofDraws(one, own));
  }

  #ofDraws(one: AttackCase, draws: readonly PerturbedCase[]): readonly ReportCase[] {
    const [variant] = draws;
    if (variant === undefined) return [];
    const { kind, changes, queries } = variant;
    const [metric] = this.#metrics;
    const status: Status | 'none' = metric === undefined ? 'none' : (statusOf(one, variant, metric) ?? 'none');
    const seeds = draws.map(({ seed }) => seed);
    const arrow = kind === 'RPL' ? ' → ' : ' + ';
    const gloss = changes.map(({ column, candidate }) => `${column}${arrow}${candidate}`).join('; ');
    const seedWords = `seed${seeds.length === 1 ? '' : 's'} ${seeds.join(', ')}`;
    const { reason, kind: because } = explainAnswer(one, variant, status);
    return [
      {
        id: `${one.id}/${kind}/${seeds[0] ?? 0}`,
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
        sides: attackSides(one, variant, this.#metrics, this.#databases.get(one.dbId), seedWords),
        notes: [
          ...(kind === 'RPL' ? ['Columns renamed,'] : ['Columns added,']),
          `${seedWords}.`,
          ...(queries > 1 ? [`${formatCount(queries)} questions were asked to find it.`] : []),
        ],
      },
    ];
  }
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
  const maker = new CaseMaker(report, databases);
  const cases = [
    ...report.cases.flatMap((one) => maker.make(one)),
    ...(report.mutants?.failures ?? []).map((failure) => failureCase(failure, 'broken')),
    ...composedCases(report.compositions),
  ];
  return {
    kind: 'cases',
    noun: 'case',
    statuses: CASE_STATUS_LABELS,
    facets: [
      { id: 'condition', label: 'Condition' },
      { id: 'reason', label: 'Reason' },
      { id: 'hardness', label: 'Hardness' },
      { id: 'database', label: 'Database' },
    ],
    cases,
    open: tellingCase(cases),
  };
}
