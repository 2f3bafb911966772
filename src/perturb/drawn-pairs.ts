import { groupExamples } from '../formats/example-groups.js';
import { itemAt, mustGet } from '../present.js';
import { groupBy } from '../run/group-by.js';
import type { ColumnRef, Database } from '../schema/schema.js';
import type { CandidatesRun } from './candidates-run.js';
import { isWide } from './equivalence-judge.js';
import { isWhole, perturbableIn, WHOLE_SCHEMAS } from './perturb-group.js';
import { readableTurns } from './augmentation.js';
import { perturbationsOf, type VariantKind, type VariantPlan, variantSlots } from './variant-plan.js';

/** Of drawn names those that are near enough to be scored: 4% to 16%, measured on Spider dev and the examples. */
const NEAR_SHARE = 0.1;
/** The same in wide tables, where they must be nearer: measured on tables of 100 and 300 columns. */
const NEAR_SHARE_IN_WIDE = 0.003;

/** Pairs of drawn names that the check of equal meaning meets, as far as no name is drawn again. */
export interface DrawnPairs {
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
export function drawnPairs({ dataset, plan, options, resources }: CandidatesRun, variants: VariantPlan): DrawnPairs {
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
