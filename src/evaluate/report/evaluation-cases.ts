import {
  type CaseQuery,
  type CaseRows,
  type CasesSection,
  type CaseStatus,
  caseVerdict,
  lowestRanked,
  type ReportCase,
} from '../../report/document/case.js';
import { formatNoun } from '../../counts.js';
import type { Outcome } from '../metric.js';
import { METRICS, type PairMetric } from '../metrics.js';
import { cellOf, type PlainResult } from '../../sql/execution/query-outcome.js';
import type { Counterexample } from '../suite/counterexample.js';
import { ONE_OF_SEVERAL } from '../suite/suite-task.js';
import type { PairVerdicts, VerdictEntry } from '../verdict-lines.js';
import { differingRows } from '../../report/result-difference.js';
import { renderTestSuites, type TestCase } from '../../report/junit-xml.js';

function toTestCase(metric: PairMetric, pair: PairVerdicts): readonly TestCase[] {
  const { id, db_id, gold, predicted } = pair;
  const verdict = pair[metric];
  if (verdict === undefined) return [];
  const test = { classname: `${metric}.${db_id}`, name: id };
  const { outcome, reason = outcome } = verdict;
  if (outcome === 'correct') return [{ ...test, fault: null }];
  const kind = outcome === 'bad-gold' ? 'error' : 'failure';
  const body = `${reason}\n  gold: ${gold}\n  predicted: ${predicted === '' ? 'nothing' : predicted}`;
  return [{ ...test, fault: { kind, type: outcome, message: reason, body } }];
}

/**
 * An evaluation as JUnit XML: a suite per metric with a test per pair, which passes where the prediction is correct. Gold
 * that has no answer is an `error`: no prediction could pass.
 */
export function renderEvaluationJUnit(pairs: readonly PairVerdicts[], metrics: readonly PairMetric[]): string {
  const suites = metrics.map((name) => ({ name, cases: pairs.flatMap((pair) => toTestCase(name, pair)) }));
  return renderTestSuites('perturbql evaluate', suites);
}

/** The facts about a pair beyond its verdicts. */
export interface CaseContext {
  /** Metrics that judged, in their order. */
  readonly metrics: readonly PairMetric[];
  /** By the ids of pairs; a pair without one is named by its gold query. */
  readonly questions: ReadonlyMap<string, string>;
  /** True if columns of results may be in any order. */
  readonly isAnyColumn: boolean;
}

/** The metrics from the one that says most about a prediction on. */
const BY_WEIGHT: readonly PairMetric[] = ['suite', 'execution', 'exact', 'columns'];

/** The metric that says most about predictions of those that judged. */
export function mainMetric(metrics: readonly PairMetric[]): PairMetric | undefined {
  return BY_WEIGHT.find((metric) => metrics.includes(metric));
}

type Status = Exclude<Outcome, 'correct'> | 'chance' | 'split';

const STATUSES: readonly (CaseStatus & { readonly id: Status })[] = [
  { id: 'chance', label: 'Right by chance, wrong on the suite', tone: 'bad' },
  { id: 'wrong', label: 'Wrong', tone: 'bad' },
  { id: 'failing', label: 'Refused by the database', tone: 'bad' },
  { id: 'unparsable', label: 'No SQL', tone: 'bad' },
  { id: 'timed-out', label: 'Stopped at its time limit', tone: 'bad' },
  { id: 'too-large', label: 'Too many rows', tone: 'bad' },
  { id: 'refused', label: 'Not executed', tone: 'bad' },
  { id: 'empty', label: 'No answer', tone: 'bad' },
  { id: 'split', label: 'Metrics disagree', tone: 'soft' },
  { id: 'bad-gold', label: 'Gold query without an answer', tone: 'soft' },
];

/** The pairs that some metric does not find correct. */
export function wrongPairs(pairs: readonly PairVerdicts[], metrics: readonly PairMetric[]): readonly PairVerdicts[] {
  return pairs.filter((pair) => metrics.some((metric) => (pair[metric]?.outcome ?? 'correct') !== 'correct'));
}

function statusOf(pair: PairVerdicts, metrics: readonly PairMetric[]): Status {
  const main = mainMetric(metrics);
  const outcome = (main && pair[main]?.outcome) ?? 'correct';
  if (outcome === 'correct') return 'split';
  return main === 'suite' && pair.execution?.outcome === 'correct' && outcome !== 'bad-gold' ? 'chance' : outcome;
}

function verdictOf(metric: PairMetric, entry: VerdictEntry | undefined): CaseQuery['verdicts'] {
  if (entry === undefined) return [];
  return [caseVerdict(METRICS[metric].title, entry.outcome)];
}

function rowsOf(label: string, { columns, rows, count }: PlainResult, differing: Iterable<number> = []): CaseRows {
  return { label, columns, rows: rows.map((row) => row.map(cellOf)), count, differing: [...differing] };
}

const RESULT = 'Result on these rows';

/** Results of the gold query and of the prediction; the latter may have failed. */
function resultsOf(example: Counterexample | undefined, isAnyColumn: boolean): readonly [CaseRows[], CaseRows[]] {
  if (example === undefined) return [[], []];
  const { gold, predicted } = example;
  if ('failure' in predicted) return [[rowsOf(RESULT, gold)], []];
  const marks = differingRows(gold, predicted, isAnyColumn);
  return [[rowsOf(RESULT, gold, marks.gold)], [rowsOf(RESULT, predicted, marks.predicted)]];
}

const isGoldInDoubt = ({ suite }: PairVerdicts): boolean => suite?.counterexample?.isGoldPartial === true;

function exampleReason({ database, gold, predicted }: Counterexample): string {
  const where = `On these few rows of ${database}`;
  const mine = formatNoun(gold.count, 'row');
  if ('failure' in predicted)
    return `${where} the gold query returns ${mine}; the prediction fails: ${predicted.failure}.`;
  const theirs = formatNoun(predicted.count, 'row');
  if (mine === theirs) return `${where} both queries return ${mine}, but not the same.`;
  return `${where} the gold query returns ${mine}, the prediction ${theirs}.`;
}

function reasonOf(pair: PairVerdicts, metrics: readonly PairMetric[]): string | null {
  const { suite } = pair;
  const said = metrics.flatMap((metric) => {
    const reason = pair[metric]?.reason;
    return reason === undefined ? [] : [`${METRICS[metric].title}: ${reason}.`];
  });
  if (suite?.counterexample !== undefined) {
    const doubt = isGoldInDoubt(pair) ? ['The gold query may be at fault: it leaves a tie open.'] : [];
    return [exampleReason(suite.counterexample), ...doubt, ...said].join(' ');
  }
  const differs = suite?.differsOn === undefined ? [] : [`The results differ on ${suite.differsOn}.`];
  return said.length + differs.length === 0 ? null : [...differs, ...said].join(' ');
}

function facetsOf({ hardness, db_id, ...pair }: PairVerdicts, metrics: readonly PairMetric[]): ReportCase['facets'] {
  const right = metrics.filter((metric) => pair[metric]?.outcome === 'correct').map((metric) => METRICS[metric].title);
  return {
    ...(metrics.length > 1 && { right: right.length === 0 ? 'Right by no metric' : `Right by ${right.join(', ')}` }),
    ...(isGoldInDoubt({ hardness, db_id, ...pair }) && { gold: 'may be at fault' }),
    hardness: hardness ?? 'unknown',
    database: db_id,
  };
}

function notesOf({ suite }: PairVerdicts): readonly string[] {
  if (suite === undefined) return [];
  return [
    ...(suite.counterexample?.isGoldPartial === true ? [ONE_OF_SEVERAL] : []),
    `Executed on ${formatNoun(suite.databases, 'database')} of the suite.`,
  ];
}

function caseOf(pair: PairVerdicts, { metrics, questions, isAnyColumn }: CaseContext): ReportCase {
  const { id, db_id, hardness, gold, predicted, suite } = pair;
  const example = suite?.counterexample;
  const plugged = (suite ?? pair.execution)?.plugged;
  const answer = plugged ?? predicted;
  const isEmpty = answer.trim() === '';
  const [mine, theirs] = resultsOf(example, isAnyColumn);
  const side = (label: string, query: Omit<CaseQuery, 'label'>, results: readonly CaseRows[]) => ({
    label,
    question: null,
    tables: [],
    marks: [],
    results,
    queries: [{ label: 'SQL', ...query }],
  });
  const note = isEmpty ? 'No answer.' : plugged === undefined ? null : 'With the gold query’s values.';
  return {
    id,
    question: questions.get(id) ?? gold,
    gloss: [id, db_id, hardness ?? 'unknown'].join(' · '),
    status: statusOf(pair, metrics),
    facets: facetsOf(pair, metrics),
    reason: reasonOf(pair, metrics),
    ...(example !== undefined && {
      given: example.tables.map(({ name, ...content }) => rowsOf(`Rows of ${name}`, content)),
    }),
    sides: [
      side('Gold query', { sql: gold, against: null, note: null, verdicts: [] }, mine),
      side(
        'Prediction',
        {
          sql: isEmpty ? null : answer,
          against: gold,
          note,
          verdicts: metrics.flatMap((metric) => verdictOf(metric, pair[metric])),
        },
        theirs,
      ),
    ],
    notes: notesOf(pair),
  };
}

/** How much a reader has to take in to see why a pair is wrong; where nothing is shown, most. */
function effort({ status, given, question, sides }: ReportCase): number {
  const rows = given === undefined ? 20_000 : given.reduce((sum, { count }) => sum + 40 * count, 0);
  const place = STATUSES.findIndex(({ id }) => id === status);
  const length = sides.reduce((sum, { queries }) => sum + (queries[0]?.sql?.length ?? 0), question.length);
  return 100_000 * place + rows + length;
}

/** The pairs that some metric does not find correct; the one that is read most easily of the worst is open. */
export function evaluationCases(pairs: readonly PairVerdicts[], context: CaseContext): CasesSection {
  const cases = wrongPairs(pairs, context.metrics).map((pair) => caseOf(pair, context));
  return {
    kind: 'cases',
    noun: 'pair',
    statuses: STATUSES,
    facets: [
      { id: 'right', label: 'Right by' },
      ...(cases.some(({ facets }) => facets['gold'] !== undefined) ? [{ id: 'gold', label: 'Gold query' }] : []),
      { id: 'hardness', label: 'Hardness' },
      { id: 'database', label: 'Database' },
    ],
    cases,
    open: lowestRanked(cases, effort)?.id ?? null,
  };
}
