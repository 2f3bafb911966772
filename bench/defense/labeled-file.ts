import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { PerturbqlError } from '../../src/errors.js';
import type { DatasetExample } from '../../src/formats/dataset.js';
import { present } from '../../src/present.js';
import type { ColumnRef, Database } from '../../src/schema/schema.js';
import type { Source } from '../../src/sql/ast.js';
import { bindQuery } from '../../src/sql/binder.js';
import { mentionedColumns, resolveColumns } from '../../src/sql/resolver.js';
import type { Span } from '../../src/sql/tokenizer.js';

/** A question against a schema, with the columns that its gold uses. */
export interface LabeledQuestion {
  readonly question: string;
  readonly database: Database;
  readonly gold: readonly ColumnRef[];
}

function joinConditions(source: Source | null): readonly Span[] {
  if (source === null || source.kind !== 'join') return [];
  const own = source.constraint?.kind === 'on' ? [source.constraint.span] : [];
  return [...joinConditions(source.left), ...joinConditions(source.right), ...own];
}

/**
 * The columns that a gold query uses outside of its join conditions, which no question speaks of; null where it can't be
 * read.
 */
export function goldColumns(query: string, database: Database): readonly ColumnRef[] | null {
  try {
    const conditions = bindQuery(query, database).cores.flatMap(({ node }) =>
      'from' in node ? joinConditions(node.from) : [],
    );
    const isFree = ({ start, end }: Span): boolean => !conditions.some((on) => start >= on.start && end <= on.end);
    return mentionedColumns(resolveColumns(query, database).filter(({ span }) => isFree(span)));
  } catch (error) {
    if (error instanceof PerturbqlError) return null;
    throw error;
  }
}

/** The questions whose gold can be read. */
export function labeledQuestions(
  examples: Iterable<DatasetExample>,
  databases: ReadonlyMap<string, Database>,
): readonly LabeledQuestion[] {
  return [...examples].flatMap(({ question, query, dbId }) => {
    const database = present(databases.get(dbId), 'databases.get(dbId)');
    const gold = goldColumns(query, database);
    return gold === null ? [] : [{ question, database, gold }];
  });
}

const namesOf = ({ tables }: Database): unknown =>
  tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]);

/** Writes questions as training/linker/train_linker.py reads them; schemas of the same names once. */
export function writeLabeled(file: string, questions: readonly LabeledQuestion[]): void {
  const places = new Map<string, number>();
  const byDatabase = new Map<Database, number>();
  const schemaOf = (database: Database): number => {
    const key = JSON.stringify(namesOf(database));
    if (!places.has(key)) places.set(key, places.size);
    return present(places.get(key), 'places.get(key)');
  };
  const records = questions.map(({ question, database, gold }) => {
    const schema = byDatabase.get(database) ?? schemaOf(database);
    byDatabase.set(database, schema);
    return JSON.stringify({
      question,
      database: database.id,
      schema,
      gold: gold.map(({ table, column }) => [table, column]),
    });
  });
  writeFileSync(file, `{"schemas":[\n${[...places.keys()].join(',\n')}\n],"records":[\n${records.join(',\n')}\n]}\n`);
}

const databasesSchema = z.object({ records: z.array(z.object({ database: z.string() })) });

/** The id of each question's database in a labeled file. */
export function labeledDatabases(file: string): readonly string[] {
  const { records } = databasesSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return records.map(({ database }) => database);
}
