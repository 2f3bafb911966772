import { availableParallelism } from 'node:os';
import { leftOutOf } from '../../formats/dataset.js';
import { describeEstimate, type ProposalEstimate } from '../../llm/create-proposer.js';
import { formatCount, countNoun, renderSeconds } from '../../report/figures.js';
import { firstLeftOut } from '../../report/left-out.js';
import type { RunHost } from '../../run/run-host.js';
import type { CandidatesRun } from './candidates-run.js';
import { type VariantPlan, variantSlots, perturbationsOf, type VariantKind } from '../augment/variant-plan.js';
import { groupExamples } from '../../formats/example-groups.js';
import { itemAt, mustGet } from '../../present.js';
import { groupBy } from '../../run/group-by.js';
import type { ColumnRef, Database, Example } from '../../schema/schema.js';
import { isWide } from '../relations/names/equivalence-judge.js';
import { isWhole, perturbableIn, WHOLE_SCHEMAS } from '../relations/names/perturb-group.js';
import { readableTurns } from '../augment/augmentation.js';

/** Of drawn names those that are near enough to be scored: 4% to 16%, measured on Spider dev and the examples. */
const NEAR_SHARE = 0.1;
/** The same in wide tables, where they must be nearer: measured on tables of 100 and 300 columns. */
const NEAR_SHARE_IN_WIDE = 0.003;

/** Pairs of drawn names that the check of equal meaning meets, as far as no name is drawn again. */
interface DrawnPairs {
  readonly met: number;
  /** Those that are near enough to be scored, about. */
  readonly scored: number;
}

const NO_PAIRS: DrawnPairs = { met: 0, scored: 0 };

/** Of whole tables half the columns get another next to them. */
function pairsOfTable(columns: number, kind: VariantKind, whole: boolean): number {
  const names = perturbationsOf(kind)
    .map((one) => (whole && one === 'ADD' ? Math.ceil(columns / 2) : columns))
    .reduce((sum, own) => sum + own, 0);
  return (names * (names - 1)) / 2;
}

/** Pairs of names that are drawn for one table, over all tables. */
function pairsAmong(database: Database, columns: readonly ColumnRef[], kind: VariantKind, whole: boolean): DrawnPairs {
  return [...groupBy(columns, ({ table }) => table)].reduce(({ met, scored }, [table, own]) => {
    const pairs = pairsOfTable(own.length, kind, whole);
    const share = isWide(database, table) ? NEAR_SHARE_IN_WIDE : NEAR_SHARE;
    return { met: met + pairs, scored: scored + share * pairs };
  }, NO_PAIRS);
}

/** The pairs that a run's variants will meet; none where a recipe has no judge. */
function drawnPairs({ dataset, plan, options, resources }: CandidatesRun, variants: VariantPlan): DrawnPairs {
  if (resources.recipe.rpl.rule.kind !== 'entailment') return NO_PAIRS;
  const slots = variantSlots(variants);
  const wholes = new Map<string, number>();
  let [met, scored] = [0, 0];
  const add = (pairs: DrawnPairs, times: number): void => {
    met += times * pairs.met;
    scored += times * pairs.scored;
  };
  const databaseOf = (dbId: string): Database => mustGet(dataset.databases.get(dbId), 'dataset.databases.get(dbId)');
  for (const examples of groupExamples(dataset.examples())) {
    const { dbId } = itemAt(examples, 0);
    const mention = readableTurns(examples, plan.mentions)?.mention;
    if (mention === undefined) continue;
    wholes.set(dbId, (wholes.get(dbId) ?? 0) + 1);
    for (const slot of slots)
      if (!isWhole({ ...options, ...slot })) add(pairsAmong(databaseOf(dbId), mention.columns, slot.kind, false), 1);
  }
  for (const [dbId, groups] of wholes) {
    const database = databaseOf(dbId);
    const columns = perturbableIn(database, [...database.tables.keys()]);
    for (const slot of slots)
      if (isWhole({ ...options, ...slot }))
        add(pairsAmong(database, columns, slot.kind, true), Math.min(groups, WHOLE_SCHEMAS));
  }
  return { met, scored: Math.ceil(scored) };
}

/** Per CPU second, measured on Spider dev and the examples (docs/performance.md). */
const PAIRS_PER_SECOND = 430;
const COLUMNS_PER_SECOND = 18;
/** Drawn, written with a database and verified. */
const VARIANTS_PER_SECOND = 125;
/** Until inputs are read, and models and index are open. */
const START_SECONDS = 3;
/** Until a data set is written, however small. */
const WRITING_SECONDS = 1;

/** The work of a run. */
export interface RunWork {
  /** True if it makes its candidates itself. */
  readonly decides: boolean;
  /** The variants whose names it draws and checks; null where it draws none. */
  readonly variants: VariantPlan | null;
}

export interface RunEstimate {
  readonly databases: number;
  readonly tables: number;
  readonly columns: number;
  readonly examples: number;
  /** To be scored. */
  readonly pairs: number;
  /** Of drawn names, where they come from candidates that are given; some of them are near enough to be scored. */
  readonly compared: number;
  /** Null where no language model is asked. */
  readonly proposals: ProposalEstimate | null;
  /** Cold, with an empty score cache, where nothing else runs. */
  readonly seconds: number;
  /** Warm: every score is in the cache. */
  readonly warmSeconds: number;
}

/** Estimates the maximum cost of a run, before anything heavy is loaded. */
function estimateRun(run: CandidatesRun, sessions: number, { decides, variants }: RunWork): RunEstimate {
  const drawn = variants === null ? null : drawnPairs(run, variants);
  const pairs = (decides ? run.pairCount : 0) + (drawn?.scored ?? 0);
  const decided = decides ? run.columnCount : 0;
  // A service's own time is not known.
  const inferring = run.asksJudgments ? 0 : pairs / PAIRS_PER_SECOND;
  // The main thread looks at columns, while sessions score those that it has looked at.
  const deciding = decided / COLUMNS_PER_SECOND;
  const written = variants === null ? 0 : run.dataset.size * variantSlots(variants).length;
  const around = START_SECONDS + (variants === null ? 0 : WRITING_SECONDS + written / VARIANTS_PER_SECOND);
  return {
    databases: new Set(run.plan.tasks.map(({ target }) => target.dbId)).size,
    tables: run.plan.tasks.length,
    columns: run.columnCount,
    examples: run.dataset.size,
    pairs,
    compared: decides ? 0 : (drawn?.met ?? 0),
    proposals: decides ? run.estimateProposals() : null,
    seconds: Math.ceil(around + Math.max(deciding, (deciding + inferring) / sessions)),
    warmSeconds: Math.ceil(around + deciding),
  };
}

/**
 * Says what a run is about to do, and what its reader noted and left out: before hours of work, as it may be a wrong
 * file.
 */
export function announceRun(run: CandidatesRun, host: RunHost, work: RunWork): void {
  host.note(describeRun(run, work));
  for (const note of run.dataset.notes ?? []) host.note(`warning: ${note}`);
  const leftOut = leftOutOf(run.dataset);
  for (const sentence of firstLeftOut(leftOut, 'the run’s report.json')) host.note(`warning: ${sentence}`);
}

/** Why there is no column to decide on where only those of gold queries are; empty where there is one. */
function describeNoColumns({ plan, dataset, options, columnCount }: CandidatesRun): string {
  if (columnCount > 0 || options.columns !== 'mentioned') return '';
  const isOfViews = ({ id, dbId }: Example): boolean =>
    plan.mentions.get(id)?.tables.some((t) => dataset.databases.get(dbId)?.tables[t]?.isView === true) === true;
  const ofViews = [...dataset.examples()].filter(isOfViews).length;
  const why =
    ofViews === 0
      ? ''
      : `: ${formatCount(ofViews)} of ${countNoun(dataset.size, 'gold query', 'gold queries')} read views`;
  return `; no gold query names a column of a table that can be perturbed${why} (--columns all decides on all columns)`;
}

/** Describes the work a run is about to do and the time it may take, in one line for people. */
export function describeRun(run: CandidatesRun, work: RunWork): string {
  const estimate = renderEstimate(estimateRun(run, run.options.jobs ?? availableParallelism(), work));
  return `${estimate}${describeNoColumns(run)}`;
}

export function renderEstimate(estimate: RunEstimate): string {
  const { databases, tables, columns, examples, pairs, compared, proposals, seconds, warmSeconds } = estimate;
  const names = compared === 0 ? '' : `up to ${countNoun(compared, 'pair')} of new names to compare, `;
  const cost =
    pairs === 0
      ? `no pairs to score, about ${renderSeconds(seconds)}`
      : `${names}about ${countNoun(pairs, 'pair')} to score, ${renderSeconds(seconds)} with an empty score cache, ${renderSeconds(warmSeconds)} where it has them all`;
  return `${countNoun(examples, 'question')} on ${countNoun(databases, 'database')}: ${countNoun(columns, 'column')} of ${countNoun(tables, 'table')}, ${cost}${proposals === null ? '' : `; ${describeEstimate(proposals)}`}`;
}
