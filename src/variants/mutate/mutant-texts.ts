import { databaseOf, type Dataset, type DatasetExample } from '../../formats/dataset.js';
import { type OutputSchema, type OwnFields, samePositions } from '../../formats/output-set.js';
import { ownFieldsIn } from '../../formats/own-fields.js';
import { RenameFollower } from '../../formats/schema-text/follow-renames.js';
import { type FollowedExample, followTexts, textsOf } from '../../formats/schema-text/schema-texts.js';
import { followTableTexts } from '../../formats/schema-text/table-texts.js';
import { movedTableFields } from '../../formats/spider-remap.js';
import { itemAt } from '../../present.js';
import { type Column, columnKey, type ColumnRef, type Database } from '../../schema/schema.js';
import { type MutantRecord, seedRecord, type SeedRecord } from '../../formats/artifacts/mutants.js';
import type { MutatedSchema } from '../databases/mutated-schema.js';
import { idsIn } from '../../formats/variant-ids.js';

type Sources = NonNullable<MutatedSchema['sources']>;

/** A column of a mutated schema with its place. */
interface Heir extends ColumnRef {
  readonly own: Column;
}

/** By column of the origin, the columns of a mutated schema that it is now. */
function heirsOf({ schema }: MutatedSchema, sources: Sources): ReadonlyMap<string, readonly Heir[]> {
  const heirs = new Map<string, Heir[]>();
  sources.forEach((columns, table) =>
    columns.forEach((source, column) => {
      if (source === null) return;
      const own = itemAt(itemAt(schema.tables, table).columns, column);
      heirs.set(columnKey(source), [...(heirs.get(columnKey(source)) ?? []), { table, column, own }]);
    }),
  );
  return heirs;
}

/**
 * The origin's tables with what their columns are now, wherever they are; one that is several by now counts as gone.
 */
function withHeirs(origin: Database, mutated: MutatedSchema, sources: Sources): OutputSchema {
  const heirs = heirsOf(mutated, sources);
  const tables = origin.tables.map(({ columns }, table) =>
    columns.flatMap((_, column) => {
      const [heir, ...others] = heirs.get(columnKey({ table, column })) ?? [];
      return heir === undefined || others.length > 0 ? [] : [{ column, own: heir.own }];
    }),
  );
  return {
    schema: {
      ...mutated.schema,
      primaryKeys: [],
      foreignKeys: [],
      tables: origin.tables.map((table, t) => ({ ...table, columns: itemAt(tables, t).map(({ own }) => own) })),
    },
    origin: origin.id,
    columns: tables.map((columns) => columns.map(({ column }) => column)),
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** Fields but for those whose texts a line has already. */
function withoutSaid(fields: Fields, said: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !Object.hasOwn(said, name)));
}

/** The external sources for lines of mutants. */
export interface LineSources {
  readonly schemaOf: (id: string) => Database;
  /** The fields of the data set's own, whatever its format. */
  readonly fieldsOf: OwnFields;
}

/** The texts about the schema that go with a data set's examples and schemas, as they are for mutants. */
export class MutantTexts {
  readonly #dataset: Dataset;
  readonly #mutated: ReadonlyMap<string, MutatedSchema>;
  readonly #outputs = new Map<string, OutputSchema>();

  /** `mutated`: the schemas that mutants are asked of, the data set's own left out. */
  constructor(dataset: Dataset, mutated: readonly MutatedSchema[]) {
    this.#dataset = dataset;
    this.#mutated = new Map(mutated.map((one) => [one.schema.id, one]));
  }

  /** An example with its texts as they are on a schema, and what changed. */
  follow(example: DatasetExample, dbId: string): FollowedExample {
    return followTexts(this.#dataset, example, this.#outputOf(example.dbId, dbId));
  }

  /**
   * Returns a mutant's line: its record, the texts of its example, the changes in them, and the other fields of the
   * data set's own.
   */
  lineOf(example: DatasetExample, record: MutantRecord, { schemaOf, fieldsOf }: LineSources): MutantRecord {
    const { example: followed, texts } = this.follow(example, record.db_id);
    const { query, db_id: id } = record;
    const on = query === null ? null : { query, schema: schemaOf(id) };
    const fields = ownFieldsIn(this.#dataset, example, fieldsOf, on);
    const said = textsOf(this.#dataset, followed);
    const line = { ...record, ...said, ...(texts.length === 0 ? {} : { texts }) };
    return withOwnFields(line, example, withoutSaid(fields, said));
  }

  /** A line of an example that mutants were made of: with its texts and the other fields of the data set's own. */
  seedLineOf(example: DatasetExample, { fieldsOf }: LineSources): SeedRecord {
    const said = textsOf(this.#dataset, example);
    const fields = ownFieldsIn(this.#dataset, example, fieldsOf);
    return withOwnFields({ ...seedRecord(example), ...said }, example, withoutSaid(fields, said));
  }

  /** The fields of a schema's record in `tables.json` that are none of Spider's. */
  tableFields(mutated: MutatedSchema): Readonly<Record<string, unknown>> {
    const { origin, schema, sources } = mutated;
    const record = this.#dataset.spiderTables?.get(origin);
    if (record === undefined || sources === undefined) return {};
    const followed = followTableTexts(this.#dataset, this.#outputOf(origin, schema.id), record);
    return movedTableFields(followed, sources);
  }

  /**
   * A text that describes a table of the data set's own, as it is on a schema.
   * @param table index of the table in the origin
   */
  followTable(mutated: MutatedSchema, table: number, text: string): string {
    const { origin, schema } = mutated;
    const database = databaseOf(this.#dataset, origin);
    const follower = new RenameFollower(database, this.#outputOf(origin, schema.id), this.#dataset.dialect);
    return follower.follow(text, { table }).text;
  }

  #outputOf(origin: string, dbId: string): OutputSchema {
    const known = this.#outputs.get(dbId);
    if (known !== undefined) return known;
    const database = databaseOf(this.#dataset, origin);
    const mutated = this.#mutated.get(dbId);
    const output =
      mutated?.sources === undefined
        ? { schema: database, origin, columns: samePositions(database) }
        : withHeirs(database, mutated, mutated.sources);
    this.#outputs.set(dbId, output);
    return output;
  }
}

type AnyRecord = Readonly<Record<string, unknown>>;

/** Ids that a record has in its file, where the example is called otherwise. */
function ownIds({ id, record }: DatasetExample): AnyRecord {
  return Object.fromEntries(Object.entries(idsIn(record as object)).filter(([, value]) => String(value) !== id));
}

/**
 * A line of `mutants.jsonl` or `seeds.jsonl` with the fields of the data set's own behind its own; one of the same name
 * is there as `original_<name>`.
 */
function withOwnFields<T extends object>(line: T, source: DatasetExample, fields: AnyRecord): T & AnyRecord {
  const own = Object.entries({ ...ownIds(source), ...fields }).map(([name, value]) => [
    Object.hasOwn(line, name) ? `original_${name}` : name,
    value,
  ]);
  return { ...line, ...(Object.fromEntries(own) as AnyRecord) };
}
