import { LRUCache } from 'lru-cache';
import { PerturbqlError } from '../../errors.js';
import { type DatasetExample, syntheticNotes } from '../../formats/dataset.js';
import { groupExamples } from '../../formats/example-groups.js';
import { isOriginal, keepsGold } from '../../formats/output-set.js';
import { itemAt, mustGet } from '../../present.js';
import { AugmentSamples } from '../report/augment-samples.js';
import { columnNameOf } from '../../report/column-tally.js';
import type { RunItems } from '../../run/reported-run.js';
import { createStageContext, type RunHost } from '../../run/run-host.js';
import { columnKey, type ColumnRef, type Database } from '../../schema/schema.js';
import { resolveColumns } from '../../sql/resolver.js';
import { sqlFault } from '../../sql/sql-fault.js';
import type { CandidatePool } from '../relations/names/candidate-pool.js';
import type { SampleChoice } from '../relations/names/candidate-sampling.js';
import type { CandidatesRun } from '../candidates/candidates-run.js';
import type { MaterializeMode } from '../databases/materialize-mode.js';
import { EquivalenceJudge } from '../relations/names/equivalence-judge.js';
import { type KeptOutcome, type KeptVariant, outcomeId } from './kept-variant.js';
import {
  type DrawnSchema,
  perturbGroup,
  type PerturbOptions,
  type PerturbRequest,
} from '../relations/names/perturb-group.js';
import { PerturbedDataset } from './perturbed-dataset.js';
import type { PerturbedSchema } from '../relations/names/perturbed-schema.js';
import type { TrainingMutant, TrainingMutants } from './mutant-source.js';
import type { Mention, SkippedItem } from '../candidates/plan-tables.js';
import { type UnchangedColumn, UnchangedColumns } from './unchanged-columns.js';
import { slotName, type VariantPlan, type VariantSlot, variantSlots } from './variant-plan.js';
import { formatCount, countNoun } from '../../report/figures.js';

/** Whole schemas in memory: those of a few databases. */
const SCHEMAS_AT_HAND = 64;

export interface WrittenCounts {
  readonly original: number;
  readonly rpl: number;
  /** Of `rpl`, those whose gold query stays as it was, as it names no renamed column; absent in older reports. */
  readonly rplUnchanged?: number;
  readonly add: number;
  /** Variants with columns renamed and others added; absent where none were asked for. */
  readonly mixed?: number;
  /** Of `mixed`, those whose gold query stays as it was; absent where there are none. */
  readonly mixedUnchanged?: number;
  /** Absent where none were asked for. */
  readonly mutants?: number;
}

/** Variants of a data set: without its originals and the mutants. */
export function countVariants({ rpl, add, mixed = 0 }: WrittenCounts): number {
  return rpl + add + mixed;
}

/** Variants that are not there: every example is to have those of the plan. */
export function countLeftOut(written: WrittenCounts, plan: VariantPlan): number {
  return variantSlots(plan).length * written.original - countVariants(written);
}

/** The options that a run perturbs by. */
export interface AugmentationOptions extends PerturbOptions {
  readonly materialize: MaterializeMode;
  readonly sample: SampleChoice;
  readonly variants: VariantPlan;
}

/** The turns of an interaction whose gold can be read, and the union of what these mention; null where none can. */
export function readableTurns<E extends { readonly id: string }>(
  examples: readonly E[],
  mentions: ReadonlyMap<string, Mention>,
): { readonly turns: readonly E[]; readonly mention: Mention } | null {
  const columns = new Map<string, ColumnRef>();
  const tables = new Set<number>();
  const turns = examples.filter(({ id }) => {
    const mention = mentions.get(id);
    for (const ref of mention?.columns ?? []) columns.set(columnKey(ref), ref);
    for (const table of mention?.tables ?? []) tables.add(table);
    return mention !== undefined;
  });
  if (turns.length === 0) return null;
  return { turns, mention: { columns: [...columns.values()], tables: [...tables].sort((a, b) => a - b) } };
}

/** @throws SqlRewriteError when a query names a row id, which a view has not */
function requireNoRowid({ examples, database, dialect }: PerturbRequest): void {
  for (const { query } of examples) {
    const rowid = resolveColumns(query, database, dialect).find(({ kind }) => kind === 'rowid');
    if (rowid !== undefined) {
      const fix = 'Give --materialize copy.';
      throw sqlFault(query, rowid.span.start, 'a database of views has no row ids', fix);
    }
  }
}

/** A refusal with its place next to the id: without it, equal reasons are counted together. */
function placeInId(id: string, message: string): SkippedItem {
  const [reason, place] = message.split(' at offset ') as [string, string?];
  return { id: place === undefined ? id : `${id} at offset ${place}`, reason };
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

/** Perturbs every example of a run once for RPL and once for ADD, and keeps account. */
export class Augmentation {
  readonly output: PerturbedDataset;
  readonly skipped: SkippedItem[];
  readonly samples = new AugmentSamples();
  readonly #run: CandidatesRun;
  /** Accepted candidates of a database. */
  readonly #poolOf: (dbId: string) => CandidatePool;
  readonly #options: AugmentationOptions;
  readonly #slots: readonly VariantSlot[];
  readonly #host: RunHost;
  readonly #judge: EquivalenceJudge;
  readonly #kept: RunItems<KeptOutcome>;
  readonly #unchanged: UnchangedColumns;
  /** Gold queries of the originals, by id. */
  readonly #queries = new Map<string, string>();
  readonly #written: {
    original: number;
    rpl: number;
    rplUnchanged: number;
    add: number;
    mixed?: number;
    mixedUnchanged?: number;
    mutants?: number;
  };
  /** The schemas of the database at hand; examples of one database follow each other. */
  readonly #wholeSchemas = new LRUCache<string, DrawnSchema>({ max: SCHEMAS_AT_HAND });
  readonly #unmentioned = { RPL: 0, ADD: 0, mixed: 0 };
  /** True if the variants' databases are views, which have no row ids. */
  readonly #views: boolean;
  #mutants: TrainingMutants | null = null;
  #redraws = 0;
  #literals = 0;
  /** Examples that are to be perturbed. */
  #total = 0;
  #done = 0;

  constructor(
    run: CandidatesRun,
    poolOf: (dbId: string) => CandidatePool,
    options: AugmentationOptions,
    kept: RunItems<KeptOutcome>,
    host: RunHost,
  ) {
    this.#run = run;
    this.#poolOf = poolOf;
    this.#options = options;
    this.#slots = variantSlots(options.variants);
    this.#unchanged = new UnchangedColumns(options.linkedKeys);
    this.#written = {
      original: 0,
      rpl: 0,
      rplUnchanged: 0,
      add: 0,
      ...(options.variants.mixed === undefined ? {} : { mixed: 0 }),
    };
    this.#views = options.materialize === 'views';
    this.#host = host;
    this.#kept = kept;
    this.output = new PerturbedDataset(run.dataset, kept, this.#slots);
    this.#judge = new EquivalenceJudge(run, createStageContext(run.options.seed, host), () => this.#report());
    this.skipped = [...run.plan.skipped];
  }

  get written(): WrittenCounts {
    return this.#written;
  }

  get redraws(): number {
    return this.#redraws;
  }

  /** Double-quoted strings that variants write in single quotes. */
  get literals(): number {
    return this.#literals;
  }

  /** Columns that were to be perturbed, and are as they were in all variants. */
  get unchangedColumns(): readonly UnchangedColumn[] {
    return this.#unchanged.list();
  }

  /** Notes for whoever trains on the result. */
  get warnings(): readonly string[] {
    const { RPL, ADD, mixed } = this.#unmentioned;
    const { dataset, options } = this.#run;
    const warnings = [...syntheticNotes(dataset.synthetic?.length ?? 0, options.seed)];
    if (countVariants(this.#written) === 0) warnings.push('nothing was perturbed; the report has the reasons');
    if (RPL + ADD + mixed > 0) {
      const further = mixed === 0 ? '' : ` and ${mixed} mixed`;
      warnings.push(
        `${formatCount(RPL)} RPL and ${formatCount(ADD)} ADD${further} variants perturb a column that their query does not mention, as none that it mentions has candidates`,
      );
    }
    return warnings;
  }

  /** Makes all variants, except those that are among the run's items already. */
  async run(): Promise<void> {
    const own = [...this.#run.dataset.examples()].filter(({ dbId }) => this.#run.isOwn(dbId));
    this.#total = own.length;
    for (const examples of groupExamples(own)) {
      this.#report();
      this.#host.signal.throwIfAborted();
      await this.#perturb(examples);
      this.#done += examples.length;
    }
    this.#kept.flush();
    this.#report();
  }

  #report(): void {
    const { asked } = this.#judge;
    const detail = asked === 0 ? '' : `${countNoun(asked, 'pair')} of new names compared`;
    this.#host.progress('examples perturbed', this.#done, this.#total, detail);
  }

  /** Adds mutants behind the variants of their examples; `withRows`: whether schemas come with their databases. */
  addMutants(mutants: TrainingMutants, withRows: boolean): void {
    this.#mutants = mutants;
    this.skipped.push(...mutants.skipped);
    this.#written.mutants = 0;
    for (const mutant of [...mutants.byExample.values()].flat()) this.#addMutant(mutant, withRows);
  }

  /** The file with the rows of a mutant's own schema; null where there is none. */
  mutatedFile(id: string): string | null {
    return this.#mutants?.fileOf(id) ?? null;
  }

  #addMutant(mutant: TrainingMutant, withRows: boolean): void {
    const { making, example } = mutant;
    const { schema } = example;
    const needsRows = withRows && !isOriginal(schema) && this.#run.dataset.hasRows(schema.origin);
    if (needsRows && this.mutatedFile(schema.schema.id) === null) {
      this.skipped.push({ id: making.id, reason: 'its run of mutate has no database of its schema' });
      return;
    }
    this.output.addMutant(mutant);
    this.#written.mutants = (this.#written.mutants ?? 0) + 1;
  }

  /** Leaves out the variants on a schema whose database can't be written. */
  leaveOut({ schema }: PerturbedSchema, reason: string): void {
    for (const { group, slot, turns } of this.output.remove(schema.id)) {
      this.skipped.push({ id: outcomeId(group, slot), reason });
      this.#count(slot, turns, -1);
    }
  }

  /** Counts variants; `by`: 1, or −1 where they are left out again. */
  #count({ kind }: VariantSlot, turns: KeptVariant['turns'], by: 1 | -1): void {
    const field = kind === 'mixed' ? kind : kind === 'RPL' ? 'rpl' : 'add';
    this.#written[field] = (this.#written[field] ?? 0) + by * turns.length;
    const isUnchanged = ({ id, query }: KeptVariant['turns'][number]): boolean =>
      keepsGold(kind, query.sql, this.#queries.get(id) ?? null);
    const unchanged = by * turns.filter(isUnchanged).length;
    if (kind === 'RPL') this.#written.rplUnchanged += unchanged;
    else if (unchanged !== 0) this.#written.mixedUnchanged = (this.#written.mixedUnchanged ?? 0) + unchanged;
  }

  async #perturb(examples: readonly DatasetExample[]): Promise<void> {
    const { dataset, plan, options } = this.#run;
    const database = mustGet(
      dataset.databases.get(itemAt(examples, 0).dbId),
      'dataset.databases.get(examples[0].dbId)',
    );
    this.output.addOriginal(database);
    for (const { id, query } of examples) this.#queries.set(id, query);
    this.#written.original += examples.length;
    const readable = readableTurns(examples, plan.mentions);
    if (readable === null) return;
    const pool = this.#poolOf(database.id);
    for (const slot of this.#slots) {
      await this.#addVariant({
        ...this.#options,
        database,
        dialect: dataset.dialect,
        examples: readable.turns,
        mention: readable.mention,
        ...slot,
        columns: options.columns,
        pool,
        areEquivalent: this.#judge.areEquivalent,
        wholeSchemas: this.#wholeSchemas,
        seed: options.seed,
      });
    }
  }

  async #addVariant(request: PerturbRequest): Promise<void> {
    const { database, examples } = request;
    const { group } = itemAt(examples, 0);
    const outcome = await this.#kept.of(outcomeId(group, request), () => this.#make(request));
    this.skipped.push(...outcome.skipped);
    const { variant } = outcome;
    if (variant === null) return;
    this.output.addVariant(group, request, variant);
    this.#count(request, variant.turns, 1);
    this.#note(database, examples, request, variant);
  }

  async #make(request: PerturbRequest): Promise<KeptOutcome> {
    const { database, examples, kind } = request;
    const id = outcomeId(itemAt(examples, 0).group, request);
    try {
      if (this.#views) requireNoRowid(request);
      const variant = await perturbGroup(request);
      if (variant === null) {
        return {
          variant: null,
          skipped: [{ id, reason: `no column of its database has ${kind === 'mixed' ? '' : `${kind} `}candidates` }],
        };
      }
      const kept = this.output.prepare(database, variant);
      const refused = variant.refused.map(({ example, error }) =>
        placeInId(outcomeId(example.id, request), error.message),
      );
      return { variant: kept, skipped: refused };
    } catch (error) {
      if (!(error instanceof PerturbqlError)) throw error;
      return { variant: null, skipped: [placeInId(id, error.message)] };
    }
  }

  #note(database: Database, examples: readonly DatasetExample[], slot: VariantSlot, variant: KeptVariant): void {
    const { kind, turns, changes } = variant;
    this.#redraws += variant.redraws;
    this.#literals += turns.reduce((sum, { query: { literals } }) => sum + literals, 0);
    if (variant.unmentioned) this.#unmentioned[kind] += turns.length;
    this.#unchanged.note(database, variant, this.#poolOf(database.id));
    for (const { id, query: after } of turns) {
      const example = mustGet(
        examples.find((one) => one.id === id),
        'examples.find()',
      );
      const near = changesNear(changes, this.#run.plan.mentions.get(id));
      this.samples.offer({
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
      });
    }
  }
}
