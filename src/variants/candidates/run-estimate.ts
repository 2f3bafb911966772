import { databaseOf, groupExamples, leftOutOf } from '../../formats/dataset.js';
import type { CandidateDecision } from '../../formats/artifacts/candidates.js';
import { describeEstimate, type ProposalEstimate } from '../../llm/create-proposer.js';
import { countNoun, formatCount } from '../../counts.js';
import { renderSeconds } from '../../report/figures.js';
import { firstLeftOut } from '../../report/left-out.js';
import type { RunHost } from '../../run/run-host.js';
import { columnAt, type ColumnRef, type Database, type Example } from '../../schema/schema.js';
import { perturbationsOf, type VariantKind, type VariantPlan, variantSlots } from '../augment/variant-plan.js';
import { CandidatePool, DecisionsByColumn, type PerturbationKind } from '../relations/names/candidate-pool.js';
import { type CandidatesRun, PAIRS_PER_COLUMN } from './candidates-run.js';
import { itemAt } from '../../present.js';
import { areNumberedApart } from '../../nli/compared-columns.js';
import { WordVectorRanker } from '../../reranker/word-vector-ranker.js';
import { groupBy } from '../../run/group-by.js';
import { createRng } from '../../seeded-rng.js';
import { readableTurns } from './plan-tables.js';
import { leastLikeness } from '../relations/names/equivalence-judge.js';
import { isWhole, perturbableIn, wholeSchemaNumber } from '../relations/names/draw-schema.js';

/** Pairs of drawn names that the check of equal meaning meets, as far as no name is drawn again. */
interface DrawnPairs {
  readonly met: number;
  /** Those that the judge will score, about. */
  readonly scored: number;
}

const NO_PAIRS: DrawnPairs = { met: 0, scored: 0 };

/**
 * Scores per pair that the judge is asked about: some were scored for another example. 0.6 on a fifth of Spider dev and
 * on the examples, 0.9 on a table of 300 columns.
 */
const SCORED_SHARE = 0.75;

/** Names of a table that are compared to tell how many are near each other: 45,000 pairs take 0.1 s. */
const MOST_COMPARED = 300;

const pairsOf = (names: number): number => (names * (names - 1)) / 2;

type Similarity = (a: string, b: string) => number | null;

/** The share of near ones among the pairs of some names: of those that stand for a table's new names. */
function nearShare(names: readonly string[], isNear: (a: string, b: string) => boolean): number {
  const step = Math.max(1, names.length / MOST_COMPARED);
  const some = Array.from({ length: Math.min(names.length, MOST_COMPARED) }, (_, i) =>
    itemAt(names, Math.floor(i * step)),
  );
  if (some.length < 2) return 0;
  const near = some.reduce((sum, a, i) => sum + some.slice(0, i).filter((b) => isNear(a, b)).length, 0);
  return near / pairsOf(some.length);
}

/** The new names that the columns of a run may get, before any is drawn. */
class ExpectedNames {
  readonly #run: CandidatesRun;
  readonly #pool: CandidatePool | null;
  readonly #similarity: Similarity;
  readonly #shares = new Map<string, number>();

  /** @param pool the candidates that are given; null where the run decides them: then columns stand for their names */
  constructor(run: CandidatesRun, pool: CandidatePool | null, similarity: Similarity) {
    this.#run = run;
    this.#pool = pool;
    this.#similarity = similarity;
  }

  /** Of columns, those that have a name of a kind. */
  named(database: Database, columns: readonly ColumnRef[], kind: PerturbationKind): readonly ColumnRef[] {
    const pool = this.#pool;
    return pool === null ? columns : columns.filter((ref) => pool.of(database, ref, kind).length > 0);
  }

  /** The share of a table's names of a kind that are near enough to be scored. */
  nearShare(database: Database, table: number, kind: PerturbationKind): number {
    const key = JSON.stringify([database.id, table, kind]);
    let share = this.#shares.get(key);
    if (share === undefined) this.#shares.set(key, (share = this.#countNear(database, table, kind)));
    return share;
  }

  #countNear(database: Database, table: number, kind: PerturbationKind): number {
    const rng = createRng(this.#run.options.seed, `estimate:${database.id}:${table}`);
    const names = this.named(database, perturbableIn(database, [table]), kind).map((ref) => {
      const candidates = this.#pool?.of(database, ref, kind) ?? [];
      return candidates.length === 0
        ? columnAt(database, ref).name
        : itemAt(candidates, rng.int(candidates.length)).candidate;
    });
    const least = leastLikeness(database, table);
    return nearShare(names, (a, b) => !areNumberedApart(a, b) && (this.#similarity(a, b) ?? 1) >= least);
  }

  /** Pairs of names that are drawn for one variant, over all tables. */
  pairsAmong(database: Database, columns: readonly ColumnRef[], kind: VariantKind, whole: boolean): DrawnPairs {
    return [...groupBy(columns, ({ table }) => table)].reduce(({ met, scored }, [table, own]) => {
      const drawn = perturbationsOf(kind).map((one) => {
        const named = this.named(database, own, one).length;
        // Of whole tables half the columns get another next to them.
        return { kind: one, names: whole && one === 'ADD' ? Math.ceil(named / 2) : named };
      });
      const pairs = pairsOf(drawn.reduce((sum, { names }) => sum + names, 0));
      const share = Math.max(...drawn.map((one) => this.nearShare(database, table, one.kind)));
      return { met: met + pairs, scored: scored + SCORED_SHARE * share * pairs };
    }, NO_PAIRS);
  }
}

/** Counts the pairs that a run's variants will meet; none where a recipe has no judge. */
async function drawnPairs(run: CandidatesRun, variants: VariantPlan, pool: CandidatePool | null): Promise<DrawnPairs> {
  const { dataset, plan, options, resources } = run;
  if (resources.recipe.rpl.rule.kind !== 'entailment') return NO_PAIRS;
  // Whatever vectors the run has: these are open at once.
  const ranker = new WordVectorRanker(await resources.embeddedVectors());
  const names = new ExpectedNames(run, pool, (a, b) => ranker.similarity(a, b));
  const slots = variantSlots(variants);
  const wholes = new Map<string, Set<number>>();
  let [met, scored] = [0, 0];
  const add = (pairs: DrawnPairs, times: number): void => {
    met += times * pairs.met;
    scored += times * pairs.scored;
  };
  for (const examples of groupExamples(dataset.examples())) {
    const [{ dbId, group }] = examples;
    const mention = readableTurns(examples, plan.mentions)?.mention;
    if (mention === undefined) continue;
    wholes.set(dbId, (wholes.get(dbId) ?? new Set()).add(wholeSchemaNumber(options.seed, group)));
    for (const slot of slots)
      if (!isWhole({ ...options, ...slot }))
        add(names.pairsAmong(databaseOf(dataset, dbId), mention.columns, slot.kind, false), 1);
  }
  for (const [dbId, schemas] of wholes) {
    const database = databaseOf(dataset, dbId);
    const columns = perturbableIn(database, [...database.tables.keys()]);
    for (const slot of slots)
      if (isWhole({ ...options, ...slot })) add(names.pairsAmong(database, columns, slot.kind, true), schemas.size);
  }
  return { met, scored: Math.ceil(scored) };
}

/** CPU seconds of the parts of a run, of all threads and processes (docs/performance.md). */
const COST = {
  /** Until inputs are read, without questions. */
  start: 1,
  perQuestion: 0.004,
  /** Names and index. */
  loading: 2,
  /** The bank, where columns are decided. */
  opening: 2,
  perColumn: 0.04,
  /** The sessions of the judge and, where columns are decided, of the encoder: the cache holds what a warm run asks. */
  sessions: 1,
  encoding: 1.5,
  perPair: 0.0024,
  /** A few pairs at a time, as names are drawn one after another. */
  perDrawnPair: 0.0035,
  perCompared: 0.000_003,
  perVariant: 0.001,
  /** A variant that is written with a database and verified. */
  perDatabase: 0.007,
};

/** The work of a run. */
export interface RunWork {
  /** Candidates that are given; null where it makes its own. */
  readonly given: readonly CandidateDecision[] | null;
  /** The variants whose names it draws and checks; null where it draws none. */
  readonly variants: VariantPlan | null;
  /** True if it writes databases for them. */
  readonly databases: boolean;
}

/** The work of `candidates`. */
export const DECIDES: RunWork = { given: null, variants: null, databases: false };

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
  /** CPU seconds cold, with an empty score cache. */
  readonly seconds: number;
  /** Warm: every score is in the cache. */
  readonly warmSeconds: number;
}

/** CPU seconds of making, writing and verifying variants, apart from what is scored. */
function secondsOfVariants({ dataset }: CandidatesRun, { variants, databases }: RunWork, met: number): number {
  if (variants === null) return 0;
  const made = dataset.size * variantSlots(variants).length;
  return met * COST.perCompared + made * (COST.perVariant + (databases ? COST.perDatabase : 0));
}

/** CPU seconds of deciding columns, with names and index loaded for it: warm, and what an empty score cache adds. */
export function secondsOfDecisions(columns: number): { readonly warm: number; readonly scoring: number } {
  if (columns === 0) return { warm: 0, scoring: 0 };
  return {
    warm: COST.loading + COST.opening + columns * COST.perColumn,
    scoring: COST.sessions + COST.encoding + columns * PAIRS_PER_COLUMN * COST.perPair,
  };
}

/** Estimates the cost of a run, before models and index are loaded. */
async function estimateRun(run: CandidatesRun, work: RunWork): Promise<RunEstimate> {
  const { given, variants } = work;
  const pool = given === null ? null : new CandidatePool(given);
  const drawn = variants === null ? NO_PAIRS : await drawnPairs(run, variants, pool);
  const decidedPairs = given === null ? run.pairCount : 0;
  const pairs = decidedPairs + drawn.scored;
  const deciding = given === null && run.columnCount > 0 ? COST.opening + run.columnCount * COST.perColumn : 0;
  const reading = COST.start + run.dataset.size * COST.perQuestion;
  const warm = reading + COST.loading + deciding + secondsOfVariants(run, work, drawn.met);
  const scoring =
    COST.sessions +
    (given === null ? COST.encoding : 0) +
    decidedPairs * COST.perPair +
    drawn.scored * COST.perDrawnPair;
  // A service's own time is not known.
  const cold = pairs === 0 || run.asksJudgments ? warm : warm + scoring;
  return {
    databases: new Set(run.plan.tasks.map(({ target }) => target.dbId)).size,
    tables: run.plan.tasks.length,
    columns: run.columnCount,
    examples: run.dataset.size,
    pairs,
    compared: given === null ? 0 : drawn.met,
    proposals: given === null ? run.proposals : null,
    seconds: Math.ceil(cold),
    warmSeconds: Math.ceil(warm),
  };
}

/** Whole tables are perturbed by candidates of all columns: says so where they were decided for some alone. */
export function noteUndecided(
  given: RunWork['given'],
  { dataset, plan, columnCount, options }: CandidatesRun,
  host: RunHost,
): void {
  if (given === null || options.columns === 'mentioned') return;
  const decisions = new DecisionsByColumn(given);
  const decided = plan.tasks.flatMap(({ target, columns }) => {
    const database = databaseOf(dataset, target.dbId);
    const table = database.tables.indexOf(target.table);
    return columns.filter((column) => decisions.of(database, { table, column }).length > 0);
  }).length;
  if (decided === columnCount) return;
  host.note(
    `the candidates are of ${formatCount(decided)} of ${formatCount(columnCount)} columns; the others keep their names (\`perturbql candidates --columns all\` decides on all)`,
  );
}

/**
 * Says what a run is about to do, and what its reader noted and left out: before hours of work, as it may be a wrong
 * file.
 */
export async function announceRun(run: CandidatesRun, host: RunHost, work: RunWork): Promise<void> {
  noteUndecided(work.given, run, host);
  host.note(await describeRun(run, work));
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
export async function describeRun(run: CandidatesRun, work: RunWork): Promise<string> {
  const estimate = renderEstimate(await estimateRun(run, work));
  return `${estimate}${describeNoColumns(run)}`;
}

export function renderEstimate(estimate: RunEstimate): string {
  const { databases, tables, columns, examples, pairs, compared, proposals, seconds, warmSeconds } = estimate;
  const names = compared === 0 ? '' : `up to ${countNoun(compared, 'pair')} of new names to compare, `;
  const cost =
    pairs === 0
      ? `no pairs to score, about ${renderSeconds(seconds)} of CPU time`
      : `${names}about ${countNoun(pairs, 'pair')} to score, ${renderSeconds(seconds)} of CPU time with an empty score cache, ${renderSeconds(warmSeconds)} where it has them all`;
  return `${countNoun(examples, 'question')} on ${countNoun(databases, 'database')}: ${countNoun(columns, 'column')} of ${countNoun(tables, 'table')}, ${cost}${proposals === null ? '' : `; ${describeEstimate(proposals)}`}`;
}
