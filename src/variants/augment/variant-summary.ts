import { formatCount } from '../../counts.js';
import { databaseOf, syntheticNotes } from '../../formats/dataset.js';
import { keepsGold } from '../../formats/output-set.js';
import { mustGet } from '../../present.js';
import { columnNameOf } from '../../report/column-tally.js';
import { columnKey, type ColumnRef } from '../../schema/schema.js';
import type { Mention, SkippedItem, TablePlan } from '../candidates/plan-tables.js';
import type { CandidatePool } from '../relations/names/candidate-pool.js';
import type { LinkedKeys } from '../relations/names/new-column-names.js';
import type { AugmentSample, WrittenCounts } from '../report/augment-report.js';
import { outcomeId, type PerturbedDataset, type SlotOutcome } from './perturbed-dataset.js';
import { type UnchangedColumn, UnchangedColumns } from './unchanged-columns.js';
import { slotName, type VariantPlan, variantSlots } from './variant-plan.js';

/** Variants of a data set: without its originals and the mutants. */
export function countVariants({ rpl, add, mixed = 0 }: WrittenCounts): number {
  return rpl + add + mixed;
}

/** Variants that are not there: every example is to have those of the plan. */
export function countLeftOut(written: WrittenCounts, plan: VariantPlan): number {
  return variantSlots(plan).length * written.original - countVariants(written);
}

/** What a run made, and what it could not make. */
export interface VariantSummary {
  readonly written: WrittenCounts;
  readonly skipped: readonly SkippedItem[];
  readonly redraws: number;
  /** Double-quoted strings that variants write in single quotes. */
  readonly literals: number;
  /** Columns that were to be perturbed, and are as they were in all variants. */
  readonly unchangedColumns: readonly UnchangedColumn[];
  /** Notes for whoever trains on the result. */
  readonly warnings: readonly string[];
}

/** What a summary is made by. */
interface SummaryInput {
  readonly output: PerturbedDataset;
  readonly plan: TablePlan;
  readonly seed: number;
  readonly variants: VariantPlan;
  readonly linkedKeys: LinkedKeys;
  readonly poolOf: (dbId: string) => CandidatePool;
}

/** Turns whose gold query stays as it was, though columns were renamed. */
function countUnchanged({ examples, slot, variant }: SlotOutcome): number {
  const golds = new Map(examples.map(({ id, query }) => [id, query]));
  return (variant?.turns ?? []).filter(({ id, query }) => keepsGold(slot.kind, query.sql, golds.get(id) ?? null))
    .length;
}

type OpenCounts = { -readonly [Kind in keyof WrittenCounts]: WrittenCounts[Kind] } & { rplUnchanged: number };

function countWritten(written: OpenCounts, outcome: SlotOutcome): void {
  const { kind } = outcome.slot;
  const field = kind === 'mixed' ? kind : kind === 'RPL' ? 'rpl' : 'add';
  const unchanged = countUnchanged(outcome);
  written[field] = (written[field] ?? 0) + (outcome.variant?.turns.length ?? 0);
  if (kind === 'RPL') written.rplUnchanged += unchanged;
  else if (unchanged !== 0) written.mixedUnchanged = (written.mixedUnchanged ?? 0) + unchanged;
}

function warningsOf(
  written: WrittenCounts,
  unmentioned: Readonly<Record<'RPL' | 'ADD' | 'mixed', number>>,
  { output, seed }: SummaryInput,
): readonly string[] {
  const { RPL, ADD, mixed } = unmentioned;
  const warnings = [...syntheticNotes(output.input.synthetic?.length ?? 0, seed)];
  if (countVariants(written) === 0) warnings.push('nothing was perturbed; the report has the reasons');
  if (RPL + ADD + mixed > 0) {
    const further = mixed === 0 ? '' : ` and ${mixed} mixed`;
    warnings.push(
      `${formatCount(RPL)} RPL and ${formatCount(ADD)} ADD${further} variants perturb a column that their query does not mention, as none that it mentions has candidates`,
    );
  }
  return warnings;
}

/** Sums up what came of every group of examples, whether it is written or not. */
export function summarizeVariants(input: SummaryInput): VariantSummary {
  const { output, plan, variants, linkedKeys, poolOf } = input;
  const written: OpenCounts = {
    original: output.originalCount,
    rpl: 0,
    rplUnchanged: 0,
    add: 0,
    ...(variants.mixed === undefined ? {} : { mixed: 0 }),
    ...(output.mutantCount === null ? {} : { mutants: output.mutantCount }),
  };
  const unchanged = new UnchangedColumns(linkedKeys);
  const unmentioned = { RPL: 0, ADD: 0, mixed: 0 };
  const skipped: SkippedItem[] = [...plan.skipped, ...output.skipped];
  let [redraws, literals] = [0, 0];
  for (const outcome of output.outcomes()) {
    const { examples, slot, variant, leftOut } = outcome;
    skipped.push(...outcome.skipped);
    if (leftOut !== null) skipped.push({ id: outcomeId(examples[0].group, slot), reason: leftOut });
    if (variant === null) continue;
    if (leftOut === null) countWritten(written, outcome);
    redraws += variant.redraws;
    literals += variant.turns.reduce((sum, { query }) => sum + query.literals, 0);
    if (variant.unmentioned) unmentioned[slot.kind] += variant.turns.length;
    const database = databaseOf(output.input, examples[0].dbId);
    unchanged.note(database, variant, poolOf(database.id));
  }
  const warnings = warningsOf(written, unmentioned, input);
  return { written, skipped, redraws, literals, unchangedColumns: unchanged.list(), warnings };
}

/** Changes of columns that a query mentions, then others of its tables; all, where its tables have none. */
function changesNear<Change extends { readonly ref: ColumnRef }>(
  changes: readonly Change[],
  { columns, tables }: Mention = { columns: [], tables: [] },
): readonly Change[] {
  const mentioned = new Set(columns.map(columnKey));
  const isMentioned = ({ ref }: Change): boolean => mentioned.has(columnKey(ref));
  const near = changes.filter(({ ref }) => tables.includes(ref.table));
  if (near.length === 0) return changes;
  return [...near.filter(isMentioned), ...near.filter((change) => !isMentioned(change))];
}

/** Every variant next to its original, for a report. */
export function* variantSamples({ output, plan }: Pick<SummaryInput, 'output' | 'plan'>): Generator<AugmentSample> {
  for (const outcome of output.outcomes()) {
    const { examples, slot, variant } = outcome;
    const { kind } = slot;
    for (const { id, query: after } of variant?.turns ?? []) {
      const database = databaseOf(output.input, examples[0].dbId);
      const changes = variant?.changes ?? [];
      const example = mustGet(
        examples.find((one) => one.id === id),
        'examples.find()',
      );
      const near = changesNear(changes, plan.mentions.get(id));
      yield {
        id: `${id} ${slotName(slot)}`,
        question: example.question,
        dbId: database.id,
        kind,
        changes: near.map((change) => ({
          ...columnNameOf(database, change.ref),
          to: change.name,
          ...(kind === 'mixed' ? { change: change.kind } : {}),
        })),
        ...(near.length === changes.length ? {} : { elsewhere: changes.length - near.length }),
        queryBefore: example.query,
        queryAfter: after.sql,
      };
    }
  }
}
