import { whereReadable } from '../../sql/sql-fault.js';
import type { ColumnRef, Database } from '../../schema/schema.js';
import { askedColumns } from '../../sql/resolver.js';
import type { SqlDialect } from '../../sql/dialect.js';
import type { OutputFolder, OutputSet } from '../output-set.js';

/** A question against a schema, with the columns that its gold uses outside of join conditions. */
export interface LabeledQuestion {
  readonly question: string;
  readonly database: Database;
  readonly gold: readonly ColumnRef[];
  /** Id of the database that the schema was made from; the schema's own id where it is none of another's. */
  readonly origin?: string;
}

const namesOf = ({ tables }: Database): string =>
  JSON.stringify(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]));

/** Positions of schemas in a labeled file, where those of the same names are written once. */
class SchemaPlaces {
  readonly #places = new Map<string, number>();
  readonly #byDatabase = new Map<Database, number>();

  add(database: Database): void {
    const names = namesOf(database);
    const place = this.#places.get(names) ?? this.#places.size;
    this.#places.set(names, place);
    this.#byDatabase.set(database, place);
  }

  get texts(): Iterable<string> {
    return this.#places.keys();
  }

  of(database: Database): number {
    if (!this.#byDatabase.has(database)) this.add(database);
    return this.#byDatabase.get(database) ?? 0;
  }
}

function* joined(lines: Iterable<string>): Generator<string> {
  let isFirst = true;
  for (const line of lines) {
    yield `${isFirst ? '' : ',\n'}${line}`;
    isFirst = false;
  }
}

function* recordLines(questions: Iterable<LabeledQuestion>, places: SchemaPlaces): Generator<string> {
  for (const { question, database, gold, origin = database.id } of questions) {
    const columns = gold.map(({ table, column }) => [table, column]);
    yield JSON.stringify({ question, database: origin, schema: places.of(database), gold: columns });
  }
}

/**
 * A labeled file as training/linker/train_linker.py reads it: `schemas`, each `[[table, [column, …]], …]` in natural
 * names, and `records` with a question, its database, the position of its schema, and the positions of gold columns.
 * `schemas` are all that questions are asked of.
 */
export function* renderLabeled(schemas: Iterable<Database>, questions: Iterable<LabeledQuestion>): Generator<string> {
  const places = new SchemaPlaces();
  for (const database of schemas) places.add(database);
  yield '{"schemas":[\n';
  yield* joined(places.texts);
  yield '\n],"records":[\n';
  yield* joined(recordLines(questions, places));
  yield '\n]}\n';
}

/** The columns that a gold asks for; null where it can't be read. */
export function goldColumns(query: string, database: Database, dialect?: SqlDialect): readonly ColumnRef[] | null {
  return whereReadable(() => askedColumns(query, database, dialect), null);
}

function* labeledExamples(set: OutputSet): Generator<LabeledQuestion> {
  for (const { source, schema, query } of set.examples()) {
    const gold = query === '' ? null : goldColumns(query, schema.schema, set.input.dialect);
    if (gold !== null) yield { question: source.question, database: schema.schema, gold, origin: schema.origin };
  }
}

/**
 * `linker/data.json`: questions with the columns that their gold queries ask for, to train a schema linker on
 * (docs/defense.md).
 */
export function exportLinker(set: OutputSet, folder: OutputFolder): void {
  const schemas = function* (): Generator<Database> {
    for (const { schema } of set.schemas) yield schema;
  };
  folder.write('linker/data.json', renderLabeled(schemas(), labeledExamples(set)));
}
