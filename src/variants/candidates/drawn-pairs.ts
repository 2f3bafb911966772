import { databaseOf } from '../../formats/dataset.js';
import { groupExamples } from '../../formats/example-groups.js';
import { itemAt } from '../../present.js';
import { areNumberedApart } from '../../nli/compared-columns.js';
import { WordVectorRanker } from '../../reranker/word-vector-ranker.js';
import { groupBy } from '../../run/group-by.js';
import { columnAt, type ColumnRef, type Database } from '../../schema/schema.js';
import { createRng } from '../../seeded-rng.js';
import { readableTurns } from './plan-tables.js';
import { perturbationsOf, type VariantKind, type VariantPlan, variantSlots } from '../augment/variant-plan.js';
import type { CandidatePool, PerturbationKind } from '../relations/names/candidate-pool.js';
import { leastLikeness } from '../relations/names/equivalence-judge.js';
import { isWhole, perturbableIn, wholeSchemaNumber } from '../relations/names/draw-schema.js';
import type { CandidatesRun } from './candidates-run.js';

/** Pairs of drawn names that the check of equal meaning meets, as far as no name is drawn again. */
export interface DrawnPairs {
  readonly met: number;
  /** Those that the judge will score, about. */
  readonly scored: number;
}

export const NO_PAIRS: DrawnPairs = { met: 0, scored: 0 };

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
export async function drawnPairs(
  run: CandidatesRun,
  variants: VariantPlan,
  pool: CandidatePool | null,
): Promise<DrawnPairs> {
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
