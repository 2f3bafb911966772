import { groupExamples } from '../formats/example-groups.js';
import { itemAt, mustGet } from '../present.js';
import { groupBy } from '../run/group-by.js';
import type { ColumnRef } from '../schema/schema.js';
import type { CandidatesRun } from './candidates-run.js';
import { isWhole, perturbableIn, WHOLE_SCHEMAS } from './perturb-group.js';
import { readableTurns } from './augmentation.js';
import { perturbationsOf, type VariantKind, type VariantPlan, variantSlots } from './variant-plan.js';

/** Pairs of names that are drawn for one table, over all tables; of whole tables half the columns get another next to them. */
function pairsAmong(columns: readonly ColumnRef[], kind: VariantKind, whole: boolean): number {
  const namesOf = (own: readonly ColumnRef[]): readonly number[] =>
    perturbationsOf(kind).map((one) => (whole && one === 'ADD' ? Math.ceil(own.length / 2) : own.length));
  return [...groupBy(columns, ({ table }) => table).values()]
    .map((own) => namesOf(own).reduce((sum, names) => sum + names, 0))
    .reduce((sum, names) => sum + (names * (names - 1)) / 2, 0);
}

/** Pairs of drawn names that the check of equal meaning meets, as far as no name is drawn again; 0 where none is asked for. */
export function drawnPairs({ dataset, plan, options, resources }: CandidatesRun, variants: VariantPlan): number {
  if (resources.recipe.rpl.rule.kind !== 'entailment') return 0;
  const slots = variantSlots(variants);
  const wholes = new Map<string, number>();
  let pairs = 0;
  for (const examples of groupExamples(dataset.examples())) {
    const { dbId } = itemAt(examples, 0);
    const mention = readableTurns(examples, plan.mentions)?.mention;
    if (mention === undefined) continue;
    wholes.set(dbId, (wholes.get(dbId) ?? 0) + 1);
    for (const slot of slots)
      if (!isWhole({ ...options, ...slot })) {
        pairs += pairsAmong(mention.columns, slot.kind, false);
      }
  }
  for (const [dbId, groups] of wholes) {
    const database = mustGet(dataset.databases.get(dbId), 'dataset.databases.get(dbId)');
    const columns = perturbableIn(database, [...database.tables.keys()]);
    for (const slot of slots)
      if (isWhole({ ...options, ...slot }))
        pairs += Math.min(groups, WHOLE_SCHEMAS) * pairsAmong(columns, slot.kind, true);
  }
  return pairs;
}
