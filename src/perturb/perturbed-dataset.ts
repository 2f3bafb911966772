import type { Dataset, DatasetExample } from '../formats/dataset.js';
import { groupExamples } from '../formats/example-groups.js';
import { type OutputExample, type OutputSchema, type OutputSet, samePositions } from '../formats/output-set.js';
import { followTexts, type TextChange } from '../formats/schema-text/record-texts.js';
import { tableTextChanges } from '../formats/schema-text/table-texts.js';
import { renderVariantRecord } from '../formats/spider-output.js';
import { elementAt, present } from '../present.js';
import type { Database } from '../schema/schema.js';
import type { PerturbationKind } from './candidate-pool.js';
import type { ColumnChange } from './draw-perturbation.js';
import type { MutantMaking, TrainingMutant } from './mutant-source.js';
import type { PerturbedGroup } from './perturb-group.js';
import { sha256Of } from '../run/sha256.js';
import { type ProvenanceLine, provenanceLine } from './provenance.js';

/** A perturbed schema with the changes that led to it, as first drawn. */
export interface PerturbedSchema extends OutputSchema {
  readonly kind: PerturbationKind;
  readonly changes: readonly ColumnChange[];
}

interface Variant {
  readonly group: PerturbedGroup;
  readonly schema: PerturbedSchema;
}

/** A record that is written, with what it was made by. */
interface WrittenItem {
  readonly item: OutputExample;
  readonly variant: Variant | null;
  readonly turn: number;
  /** Of a mutant. */
  readonly making?: MutantMaking;
}

interface LineSource extends Pick<WrittenItem, 'turn'> {
  readonly group: PerturbedGroup | null;
  readonly making: MutantMaking | undefined;
}

function identitySchema(database: Database): OutputSchema {
  return { schema: database, origin: database.id, columns: samePositions(database) };
}

/** Collects a perturbed data set: equal schemas share one db_id, `<db_id>__rpl_1`, numbered as they appear. */
export class PerturbedDataset implements OutputSet {
  readonly input: Dataset;
  readonly perturbed: PerturbedSchema[] = [];
  /** The SQLite file of a schema, once there is one. */
  sqliteFile: OutputSet['sqliteFile'] = () => null;
  readonly #originals = new Map<string, OutputSchema>();
  readonly #variants = new Map<string, Variant[]>();
  readonly #byKey = new Map<string, PerturbedSchema>();
  readonly #counts = new Map<string, number>();
  readonly #texts = new Map<string, readonly TextChange[]>();
  readonly #mutants = new Map<string, TrainingMutant[]>();
  readonly #mutated = new Map<string, OutputSchema>();

  constructor(input: Dataset) {
    this.input = input;
  }

  get schemas(): readonly OutputSchema[] {
    const originals = [...this.input.databases.keys()].flatMap((id) => this.#originals.get(id) ?? []);
    return [...originals, ...this.perturbed, ...this.mutated];
  }

  /** The schemas of mutants' own, in the order of their first use. */
  get mutated(): readonly OutputSchema[] {
    return [...this.#mutated.values()];
  }

  /** The set as a data set's own form can hold it: without mutants, whose tables are others. */
  get perturbedAlone(): OutputSet {
    return {
      input: this.input,
      schemas: this.schemas.filter(({ schema }) => !this.#mutated.has(schema.id)),
      examples: () => [...this.examples()].filter(({ kind }) => kind !== 'mutant'),
      sqliteFile: this.sqliteFile,
    };
  }

  /** @throws SqlRewriteError when its query is outside Spider's grammar; nothing is added then. */
  addMutant(mutant: TrainingMutant): void {
    const { source, schema, query } = mutant.example;
    const { id } = schema.schema;
    renderVariantRecord(this.input, source, query, schema.schema);
    if (!this.#originals.has(id) && !this.#mutated.has(id)) this.#mutated.set(id, schema);
    this.#mutants.set(source.id, [...(this.#mutants.get(source.id) ?? []), mutant]);
  }

  addOriginal(database: Database): void {
    if (!this.#originals.has(database.id)) this.#originals.set(database.id, identitySchema(database));
  }

  /** @throws SqlRewriteError when a rewritten query is outside Spider's grammar; nothing is added then. */
  addVariant(examples: readonly DatasetExample[], database: Database, group: PerturbedGroup): void {
    const key = schemaKey(group.schema);
    const known = this.#byKey.get(key);
    const schema = known ?? this.#nameSchema(database, group);
    examples.forEach((example, i) => {
      renderVariantRecord(this.input, example, elementAt(group.queries, i).sql, schema.schema);
    });
    if (known === undefined) this.#register(key, schema);
    const groupId = elementAt(examples, 0).group;
    // Of equal schemas one is kept.
    const kept = { ...group, schema: schema.schema, columns: schema.columns };
    this.#variants.set(groupId, [...(this.#variants.get(groupId) ?? []), { group: kept, schema }]);
  }

  /** Takes a perturbed schema out again, with its variants; returns how many examples of which group they held. */
  remove(id: string): readonly { readonly group: string; readonly examples: number }[] {
    const at = this.perturbed.findIndex(({ schema }) => schema.id === id);
    if (at >= 0) this.perturbed.splice(at, 1);
    const removed: { group: string; examples: number }[] = [];
    for (const [group, variants] of this.#variants) {
      const kept = variants.filter(({ schema }) => schema.schema.id !== id);
      for (const variant of variants) {
        if (!kept.includes(variant)) removed.push({ group, examples: variant.group.queries.length });
      }
      this.#variants.set(group, kept);
    }
    return removed;
  }

  *examples(): Generator<OutputExample> {
    for (const { item } of this.#items()) yield item;
  }

  *provenance(): Generator<ProvenanceLine> {
    let index = 0;
    for (const { item, variant, turn, making } of this.#items()) {
      yield this.#line(index, item, { group: variant?.group ?? null, turn, making });
      index++;
    }
  }

  *#items(): Generator<WrittenItem> {
    for (const examples of groupExamples(this.input.examples())) {
      const schema = this.#originals.get(elementAt(examples, 0).dbId);
      // Of another shard.
      if (schema === undefined) continue;
      for (const [turn, source] of examples.entries()) {
        yield { item: { source, kind: 'original', schema, query: source.query }, variant: null, turn };
      }
      for (const variant of this.#variants.get(elementAt(examples, 0).group) ?? []) {
        const { group, schema } = variant;
        for (const [turn, source] of group.examples.entries()) {
          yield {
            item: { source, kind: group.kind, schema, query: elementAt(group.queries, turn).sql },
            variant,
            turn,
          };
        }
      }
      for (const [turn, { id }] of examples.entries()) {
        for (const { example: item, making } of this.#mutants.get(id) ?? [])
          yield { item, variant: null, turn, making };
      }
    }
  }

  #nameSchema(database: Database, { kind, schema, columns, changes }: PerturbedGroup): PerturbedSchema {
    const id = `${database.id}__${kind.toLowerCase()}_${this.#nextNumber(database.id, kind)}`;
    return { schema: { ...schema, id }, origin: database.id, columns, kind, changes };
  }

  #nextNumber(dbId: string, kind: PerturbationKind): number {
    let next = (this.#counts.get(`${dbId}:${kind}`) ?? 0) + 1;
    while (this.input.databases.has(`${dbId}__${kind.toLowerCase()}_${next}`)) next++;
    return next;
  }

  #register(key: string, schema: PerturbedSchema): void {
    const { origin, kind } = schema;
    this.#counts.set(`${origin}:${kind}`, this.#nextNumber(origin, kind));
    this.#byKey.set(key, schema);
    this.perturbed.push(schema);
  }

  /** What became of the texts about a schema, the same for all its variants. */
  #tableTexts(schema: OutputSchema): readonly TextChange[] {
    const { id } = schema.schema;
    const known = this.#texts.get(id) ?? tableTextChanges(this.input, schema);
    this.#texts.set(id, known);
    return known;
  }

  #line(index: number, item: OutputExample, { group, turn, making }: LineSource): ProvenanceLine {
    return provenanceLine(
      index,
      item,
      present(this.input.databases.get(item.source.dbId), 'input.databases.get(item.source.dbId)'),
      {
        changes: group?.changes ?? [],
        edits: group === null ? [] : elementAt(group.queries, turn).edits,
        unmentioned: group?.unmentioned ?? false,
        texts: [...followTexts(this.input, item.source, item.schema).texts, ...this.#tableTexts(item.schema)],
        ...(making === undefined ? {} : { making }),
      },
    );
  }
}

function schemaKey(schema: Database): string {
  return sha256Of(JSON.stringify(schema));
}
