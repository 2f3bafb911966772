import { LRUCache } from 'lru-cache';
import { databaseOf, type Dataset, type ExampleGroup, groupExamples } from '../../formats/dataset.js';
import {
  isOriginal,
  type OutputExample,
  type OutputKind,
  type OutputSchema,
  type OutputSet,
  samePositions,
} from '../../formats/output-set.js';
import { followTexts, type TextChange } from '../../formats/schema-text/schema-texts.js';
import { tableTextChanges } from '../../formats/schema-text/table-texts.js';
import { itemAt, mustGet } from '../../present.js';
import { RunItems } from '../../run/reported-run.js';
import { sha256Of } from '../../run/sha256.js';
import type { Database } from '../../schema/schema.js';
import type { SkippedItem } from '../candidates/plan-tables.js';
import { type MutantMaking, provenanceLine, type TrainingMutant, type TrainingMutants } from './provenance.js';
import type { DrawnSchema } from '../relations/names/draw-schema.js';
import { changedSchema, insertionsOf, type PerturbedSchema } from '../relations/names/perturbed-schema.js';
import { ONE_OF_EACH, slotName, type VariantKind, type VariantSlot, variantSlots } from './variant-plan.js';
import type { PerturbedLine } from '../../formats/artifacts/provenance.js';
import type { QuotedSql } from '../../sql/edits.js';

/** A variant as a run keeps it: plain JSON without its schema, which its changes make of the original again. */
export interface KeptVariant extends Omit<DrawnSchema, 'schema' | 'columns'> {
  readonly kind: VariantKind;
  /** The original database. */
  readonly dbId: string;
  /** The id under which its schema is written; equal schemas share one. */
  readonly schemaId: string;
  /** sha256 of the schema under the original's id. */
  readonly schemaHash: string;
  /** The examples whose gold can be rewritten, in their order, with it. */
  readonly turns: readonly { readonly id: string; readonly query: QuotedSql }[];
}

/** The outcome for one kind of variant of a group of examples. */
export interface KeptOutcome {
  /** Null where there is none. */
  readonly variant: KeptVariant | null;
  readonly skipped: readonly SkippedItem[];
}

/** Returns the id of a group's outcome among a run's. */
export const outcomeId = (group: string, slot: VariantSlot): string => `${group} ${slotName(slot)}`;

/** The schema that a variant's changes make. */
export function keptSchema(database: Database, variant: KeptVariant): PerturbedSchema {
  const { kind, schemaId, changes, positions } = variant;
  const made = changedSchema(database, schemaId, changes, insertionsOf(changes, positions));
  return { ...made, origin: database.id, kind, changes };
}

const ANY = (): boolean => true;

/** A record that is written, with what it was made by. */
interface WrittenItem {
  readonly item: OutputExample;
  readonly variant: KeptVariant | null;
  readonly turn: number;
  /** Of a mutant. */
  readonly making?: MutantMaking;
}

interface SlotVariant {
  readonly slot: VariantSlot;
  readonly variant: KeptVariant;
}

/** What came of a group of examples and one kind of variant. */
export interface SlotOutcome extends KeptOutcome {
  readonly examples: ExampleGroup;
  readonly slot: VariantSlot;
  /** Why its variant is not written after all; null where it is, or there is none. */
  readonly leftOut: string | null;
}

/** Schemas that are not made again while they are in use. */
const SCHEMAS_AT_HAND = 64;

function identitySchema(database: Database): OutputSchema {
  return { schema: database, origin: database.id, columns: samePositions(database) };
}

/**
 * Collects a perturbed data set: equal schemas share one db_id, `<db_id>__rpl_1`, numbered as they appear. Variants are
 * read from the run's items and their schemas made again wherever they are wanted, so that only ids are in memory.
 */
export class PerturbedDataset implements OutputSet {
  readonly input: Dataset;
  /** The SQLite file of a schema, once there is one. */
  sqliteFile: OutputSet['sqliteFile'] = () => null;
  readonly #kept: RunItems<KeptOutcome>;
  readonly #slots: readonly VariantSlot[];
  readonly #originals = new Map<string, OutputSchema>();
  /** The outcome that a schema appeared in first. */
  readonly #homes = new Map<string, string>();
  readonly #idByHash = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #atHand = new LRUCache<string, PerturbedSchema>({ max: SCHEMAS_AT_HAND });
  readonly #texts = new LRUCache<string, readonly TextChange[]>({ max: SCHEMAS_AT_HAND });
  /** Why a perturbed schema is not written after all, by its id. */
  readonly #leftOut = new Map<string, string>();
  readonly #mutants = new Map<string, TrainingMutant[]>();
  readonly #mutated = new Map<string, OutputSchema>();
  readonly #skipped: SkippedItem[] = [];
  #mutantSet: TrainingMutants | null = null;

  constructor(input: Dataset, kept = new RunItems<KeptOutcome>(), slots = variantSlots(ONE_OF_EACH)) {
    this.input = input;
    this.#kept = kept;
    this.#slots = slots;
  }

  get schemas(): Iterable<OutputSchema> {
    return { [Symbol.iterator]: () => this.#schemas(true) };
  }

  /** The originals that are used, in the input's order. */
  get originals(): readonly OutputSchema[] {
    return [...this.input.databases.keys()].flatMap((id) => this.#originals.get(id) ?? []);
  }

  /** The perturbed schemas, in the order of their first use. */
  *perturbed(): Generator<PerturbedSchema> {
    for (const id of this.#homes.keys()) yield this.perturbedSchema(id);
  }

  *#schemas(withMutated: boolean): Generator<OutputSchema> {
    yield* this.originals;
    yield* this.perturbed();
    if (withMutated) yield* this.mutated;
  }

  /** The schema of an id that is written; undefined for another. */
  schemaOf(id: string): OutputSchema | undefined {
    return this.#homes.has(id) ? this.perturbedSchema(id) : (this.#mutated.get(id) ?? this.#originals.get(id));
  }

  /** A perturbed schema that is known, with the changes that it was first made by. */
  perturbedSchema(id: string): PerturbedSchema {
    const known = this.#atHand.get(id);
    return (
      known ?? this.#make(mustGet(this.#kept.get(mustGet(this.#homes.get(id), 'homes.get(id)'))?.variant, 'variant'))
    );
  }

  #make(variant: KeptVariant): PerturbedSchema {
    const { schemaId, dbId } = variant;
    const schema = keptSchema(databaseOf(this.input, dbId), variant);
    this.#atHand.set(schemaId, schema);
    return schema;
  }

  /** The schemas of mutants' own, in the order of their first use. */
  get mutated(): readonly OutputSchema[] {
    return [...this.#mutated.values()];
  }

  /** The set as a data set's own form can hold it: without mutants, whose tables are others. */
  get perturbedAlone(): OutputSet {
    return {
      input: this.input,
      schemas: { [Symbol.iterator]: () => this.#schemas(false) },
      examples: (only) => this.#itemsOf((kind) => kind !== 'mutant' && (only === undefined || kind === only)),
      sqliteFile: this.sqliteFile,
    };
  }

  /** Examples of the input that are written as they are. */
  get originalCount(): number {
    return [...this.#groups()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Mutants that are written; null where none were asked for. */
  get mutantCount(): number | null {
    return this.#mutantSet && [...this.#mutants.values()].flat().length;
  }

  /** Mutants that are not written. */
  get skipped(): readonly SkippedItem[] {
    return this.#skipped;
  }

  /** Adds mutants behind the variants of their examples; `withRows`: whether schemas come with their databases. */
  addMutants(mutants: TrainingMutants, withRows: boolean): void {
    this.#mutantSet = mutants;
    this.#skipped.push(...mutants.skipped);
    for (const mutant of [...mutants.byExample.values()].flat()) {
      const { schema } = mutant.example;
      const needsRows = withRows && !isOriginal(schema) && this.input.hasRows(schema.origin);
      if (!needsRows || this.mutatedFile(schema.schema.id) !== null) this.#addMutant(mutant);
      else this.#skipped.push({ id: mutant.making.id, reason: 'its run of mutate has no database of its schema' });
    }
  }

  /** The file with the rows of a mutant's own schema; null where there is none. */
  mutatedFile(id: string): string | null {
    return this.#mutantSet?.fileOf(id) ?? null;
  }

  #addMutant(mutant: TrainingMutant): void {
    const { source, schema } = mutant.example;
    const { id } = schema.schema;
    if (!this.#originals.has(id) && !this.#mutated.has(id)) this.#mutated.set(id, schema);
    this.#mutants.set(source.id, [...(this.#mutants.get(source.id) ?? []), mutant]);
  }

  addOriginal(database: Database): void {
    if (!this.#originals.has(database.id)) this.#originals.set(database.id, identitySchema(database));
  }

  /** A variant as it is kept. */
  prepare(database: Database, kind: VariantKind, drawn: DrawnSchema, turns: KeptVariant['turns']): KeptVariant {
    const { changes, positions, schema, redraws, unmentioned, without } = drawn;
    const schemaHash = sha256Of(JSON.stringify(schema));
    const schemaId =
      this.#idByHash.get(schemaHash) ?? `${database.id}__${kind.toLowerCase()}_${this.#nextNumber(database.id, kind)}`;
    return { kind, dbId: database.id, schemaId, schemaHash, changes, positions, turns, redraws, unmentioned, without };
  }

  /** Adds a variant of a group whose outcome is among the run's items. */
  addVariant(group: string, slot: VariantSlot, { kind, dbId, schemaId, schemaHash }: KeptVariant): void {
    if (this.#homes.has(schemaId)) return;
    this.#counts.set(`${dbId}:${kind}`, this.#nextNumber(dbId, kind));
    this.#idByHash.set(schemaHash, schemaId);
    this.#homes.set(schemaId, outcomeId(group, slot));
  }

  /** Takes a perturbed schema out again, with its variants. */
  leaveOut(id: string, reason: string): void {
    this.#homes.delete(id);
    this.#leftOut.set(id, reason);
  }

  /** What came of each group of examples, by kind of variant. */
  *outcomes(): Generator<SlotOutcome> {
    for (const examples of this.#groups())
      for (const slot of this.#slots) {
        const outcome = this.#kept.get(outcomeId(examples[0].group, slot));
        const leftOut = this.#leftOut.get(outcome?.variant?.schemaId ?? '') ?? null;
        if (outcome !== undefined) yield { ...outcome, examples, slot, leftOut };
      }
  }

  /** The examples of this shard, by group. */
  *#groups(): Generator<ExampleGroup> {
    for (const examples of groupExamples(this.input.examples()))
      if (this.#originals.has(examples[0].dbId)) yield examples;
  }

  *#variantsOf(group: string, isWanted: (kind: OutputKind) => boolean = ANY): Generator<SlotVariant> {
    for (const slot of this.#slots) {
      const variant = isWanted(slot.kind) ? this.#kept.get(outcomeId(group, slot))?.variant : null;
      if (variant != null && this.#homes.has(variant.schemaId)) yield { slot, variant };
    }
  }

  examples(only?: OutputKind): Iterable<OutputExample> {
    return this.#itemsOf((kind) => only === undefined || kind === only);
  }

  *#itemsOf(isWanted: (kind: OutputKind) => boolean): Generator<OutputExample> {
    for (const { item } of this.#items(isWanted)) yield item;
  }

  *provenance(): Generator<PerturbedLine> {
    let index = 0;
    for (const written of this.#items(ANY)) yield this.#line(index++, written);
  }

  *#items(isWanted: (kind: OutputKind) => boolean): Generator<WrittenItem> {
    for (const examples of this.#groups()) {
      const schema = mustGet(this.#originals.get(examples[0].dbId), 'originals.get(dbId)');
      for (const [turn, source] of isWanted('original') ? examples.entries() : []) {
        yield { item: { source, kind: 'original', schema, query: source.query }, variant: null, turn };
      }
      const [{ group }] = examples;
      for (const { slot, variant } of this.#variantsOf(group, isWanted)) {
        const { kind, schemaId } = variant;
        const isHome = this.#homes.get(schemaId) === outcomeId(group, slot);
        const perturbed = isHome ? this.#make(variant) : this.perturbedSchema(schemaId);
        for (const [turn, { id, query }] of variant.turns.entries()) {
          const source = mustGet(
            examples.find((example) => example.id === id),
            'examples.find()',
          );
          yield { item: { source, kind, schema: perturbed, query: query.sql }, variant, turn };
        }
      }
      for (const [turn, { id }] of isWanted('mutant') ? examples.entries() : []) {
        for (const { example: item, making } of this.#mutants.get(id) ?? [])
          yield { item, variant: null, turn, making };
      }
    }
  }

  #nextNumber(dbId: string, kind: VariantKind): number {
    let next = (this.#counts.get(`${dbId}:${kind}`) ?? 0) + 1;
    while (this.input.databases.has(`${dbId}__${kind.toLowerCase()}_${next}`)) next++;
    return next;
  }

  /** Returns the changes to the texts about a schema, the same for all its variants. */
  #tableTexts(schema: OutputSchema): readonly TextChange[] {
    const { id } = schema.schema;
    const known = this.#texts.get(id) ?? tableTextChanges(this.input, schema);
    this.#texts.set(id, known);
    return known;
  }

  #line(index: number, { item, variant, turn, making }: WrittenItem): PerturbedLine {
    return provenanceLine(index, item, databaseOf(this.input, item.source.dbId), {
      changes: variant?.changes ?? [],
      edits: variant === null ? [] : itemAt(variant.turns, turn).query.edits,
      unmentioned: variant?.unmentioned ?? false,
      texts: [...followTexts(this.input, item.source, item.schema).texts, ...this.#tableTexts(item.schema)],
      ...(making === undefined ? {} : { making }),
    });
  }
}
