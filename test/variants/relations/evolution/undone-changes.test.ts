import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { RowReader } from '../../../../src/variants/databases/row-reader.js';
import { materializeSchema } from '../../../../src/variants/databases/materialize-schema.js';
import { type Mutation, type Relation, seedCase } from '../../../../src/variants/relations/relation.js';
import type { MutatedSchema } from '../../../../src/variants/databases/mutated-schema.js';
import { columnAt, columnKey, type ColumnRef, type Database } from '../../../../src/schema/schema.js';
import { quoteIdentifier } from '../../../../src/sql/dialect.js';
import { randomQuery } from '../../../sql/random-queries.js';
import { mutateOne } from '../cases.js';
import { bagOf, rowsOf } from '../result-rows.js';
import { schemaRelations } from '../schema/schema-fixture.js';
import { datasetAt, evolutionKinds } from './club-fixture.js';
import { randomSchema, type RandomSchema, writeTables } from './random-schema.js';

const folder = mkdtempSync(join(tmpdir(), 'perturbql-undone-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [source, target] = [join(folder, 'source.sqlite'), join(folder, 'mutant.sqlite')];

const caseOf = (database: Database, query: string) =>
  seedCase({ id: 'own:0', dbId: database.id, question: 'Which?', query }, database);

/** Kinds that leave each column as it was, under another name, in another place or with another key. */
const NAMES_AND_ORDER = new Set(['TRn', 'CAb', 'CSy', 'CRn', 'TS', 'CS', 'OK', 'FKR']);
/** Kinds that take something away. */
const REMOVALS = new Set(['TRm', 'CRm', 'NCR', 'NTR']);

/** Those that leave a gold: all but removals of what it needs. */
const KINDS = [...schemaRelations(), ...evolutionKinds(datasetAt(source))]
  .map(({ id }) => id)
  .filter((id) => !/^N[CT]R$/.test(id))
  .sort();

/** The names and order of the original given back to a changed schema, by where its columns come from. */
function givenBack({ schema, sources }: MutatedSchema, original: Database): Pick<Database, 'tables' | 'primaryKeys'> {
  const places = new Map<string, ColumnRef>();
  sources?.forEach((columns, table) =>
    columns.forEach((from, column) => from !== null && places.set(columnKey(from), { table, column })),
  );
  const back = new Map([...places].map(([key, place]) => [columnKey(place), key]));
  return {
    tables: original.tables.map((table, t) => ({
      ...table,
      columns: table.columns.map(({ name, originalName }, column) => {
        const place = places.get(columnKey({ table: t, column }));
        if (place === undefined) throw new Error(`${table.originalName}.${originalName} is gone`);
        return { ...columnAt(schema, place), name, originalName };
      }),
    })),
    primaryKeys: schema.primaryKeys
      .map((ref) => back.get(columnKey(ref))!)
      .sort()
      .map((key) => {
        const [table = 0, column = 0] = key.split('.').map(Number);
        return { table, column };
      }),
  };
}

/** Columns of the original that a change lost: neither there under any name, nor restored from others. */
function lostColumns({ sources = [] }: MutatedSchema, mapping: Mutation['mapping'], original: Database): string[] {
  const kept = new Set(sources.flat().flatMap((ref) => (ref === null ? [] : [columnKey(ref)])));
  // Of tables that are one now, the column that referred holds the key.
  for (const { from, to } of original.foreignKeys) if (kept.has(columnKey(from))) kept.add(columnKey(to));
  const restored = new Set((mapping ?? []).map(({ column }) => column));
  return original.tables.flatMap(({ originalName, columns }, table) =>
    columns.flatMap((one, column) => {
      const name = `${originalName}.${one.originalName}`;
      return kept.has(columnKey({ table, column })) || restored.has(name) ? [] : [name];
    }),
  );
}

/** What the same change makes of the query for a table's rows; undefined where it can't be asked there. */
async function tableAfter(
  relation: Relation,
  database: Database,
  table: number,
  id: string,
): Promise<Mutation | undefined> {
  const { originalName, columns } = database.tables[table]!;
  const list = columns.map((column) => quoteIdentifier(column.originalName)).join(', ');
  const query = `SELECT ${list} FROM ${quoteIdentifier(originalName)}`;
  const found = await mutateOne(relation, caseOf(database, query), 1000);
  return 'reason' in found ? undefined : found.find(({ mutated }) => mutated?.schema.id === id);
}

/** Makes the original's tables again from a changed database; returns which could be asked for. */
async function undo(
  drawn: RandomSchema,
  relation: Relation,
  { schema }: MutatedSchema,
  mutant: Sqlite.Database,
): Promise<{ readonly undone: Sqlite.Database; readonly tables: readonly number[] }> {
  const undone = new Sqlite(':memory:');
  const tables: number[] = [];
  for (const [t, statement] of drawn.create.entries()) {
    const after = await tableAfter(relation, drawn.database, t, schema.id);
    if (after?.query == null) continue;
    const rows = rowsOf(mutant, after.query, schema, after.mapping ?? null);
    undone.exec(statement);
    const { originalName, columns } = drawn.database.tables[t]!;
    const places = columns.map(() => '?').join(', ');
    const insert = undone.prepare(`INSERT INTO ${quoteIdentifier(originalName)} VALUES (${places})`);
    for (const row of rows ?? []) insert.run(...row);
    tables.push(t);
  }
  return { undone, tables };
}

/** Queries that read one column, or join along a key, next to random ones. */
const questions = randomSchema.chain((drawn) => {
  const { tables, foreignKeys } = drawn.database;
  const nameOf = ({ table, column }: ColumnRef): string =>
    quoteIdentifier(tables[table]!.columns[column]!.originalName);
  const plain = tables.flatMap(({ originalName, columns }, table) =>
    columns.map((_, column) => {
      const name = nameOf({ table, column });
      return `SELECT ${name}, count(*) FROM ${originalName} WHERE ${name} IS NOT NULL GROUP BY ${name}`;
    }),
  );
  const joined = foreignKeys.map(({ from, to }) => {
    const [left, right] = [tables[from.table]!, tables[to.table]!];
    const shown = nameOf({ table: to.table, column: right.columns.length - 1 });
    return `SELECT b.${shown} FROM ${left.originalName} AS a JOIN ${right.originalName} AS b ON a.${nameOf(from)} = b.${nameOf(to)}`;
  });
  const query = fc.oneof(fc.constantFrom(...plain, ...joined), randomQuery(drawn.database));
  return fc.tuple(fc.constant(drawn), fc.array(query, { minLength: 2, maxLength: 2 }));
});

/** Which kinds were met: where a gold was executed, and where a table was made again. */
interface Met {
  readonly golds: Set<string>;
  readonly rebuilt: Set<string>;
}

/** One gold on an original, and what it gives there. */
interface Asked {
  readonly drawn: RandomSchema;
  readonly original: Sqlite.Database;
  readonly gold: string;
  readonly expected: readonly string[];
}

function checkSchema(
  relation: Relation,
  { mapping, detail }: Mutation,
  mutated: MutatedSchema,
  database: Database,
): void {
  if (NAMES_AND_ORDER.has(relation.id)) {
    const { tables, primaryKeys } = givenBack(mutated, database);
    const keys = database.primaryKeys.map(columnKey).sort();
    expect([detail, tables, primaryKeys.map(columnKey)]).toEqual([detail, database.tables, keys]);
  } else {
    const isLost = lostColumns(mutated, mapping, database).length > 0;
    expect([detail, isLost]).toEqual([detail, REMOVALS.has(relation.id)]);
  }
}

async function checkUndone(relation: Relation, mutation: Mutation, asked: Asked, met: Met): Promise<void> {
  const { mutated, query, mapping, detail } = mutation;
  const { drawn, original, gold, expected } = asked;
  if (mutated === null) throw new Error('a change of the schema has one');
  const label = `${relation.id}, ${detail}: ${gold} → ${query}`;
  checkSchema(relation, mutation, mutated, drawn.database);
  const mutant = new Sqlite(target, { readonly: true });
  if (query !== null) {
    expect([label, bagOf(mutant, query, mutated.schema, mapping)]).toEqual([label, expected]);
    met.golds.add(relation.id);
  }
  const { undone, tables } = await undo(drawn, relation, mutated, mutant);
  for (const t of tables) {
    const all = `SELECT * FROM ${quoteIdentifier(drawn.database.tables[t]!.originalName)}`;
    const [now, then] = [undone, original].map((sqlite) => bagOf(sqlite, all, drawn.database));
    expect([label, all, now]).toEqual([label, all, then]);
    met.rebuilt.add(relation.id);
  }
  if (tables.length === drawn.database.tables.length) {
    expect([label, bagOf(undone, gold, drawn.database)]).toEqual([label, expected]);
  }
  undone.close();
  mutant.close();
}

describe('a change of a random schema, undone', () => {
  it('gives the original’s schema, gold and rows, whatever the kind', async () => {
    const met: Met = { golds: new Set(), rebuilt: new Set() };
    await fc.assert(
      fc.asyncProperty(questions, async ([drawn, golds]) => {
        rmSync(source, { force: true });
        writeTables(source, drawn);
        const original = new Sqlite(source, { readonly: true });
        const dataset = datasetAt(source);
        for (const relation of [...schemaRelations(new RowReader(dataset)), ...evolutionKinds(dataset)]) {
          for (const gold of golds) {
            const expected = bagOf(original, gold, drawn.database);
            if (expected === null) continue;
            const made = await mutateOne(relation, caseOf(drawn.database, gold), 1);
            for (const mutation of 'reason' in made ? [] : made) {
              materializeSchema(source, target, drawn.database, mutation.mutated!);
              await checkUndone(relation, mutation, { drawn, original, gold, expected }, met);
            }
          }
        }
        original.close();
      }),
      // The first few are always the same, so that each kind is met.
      { numRuns: 8, examples: fc.sample(questions, { seed: 1, numRuns: 4 }).map((one) => [one]) },
    );
    expect([...met.golds].sort()).toEqual(KINDS);
    expect([...met.rebuilt].sort()).toEqual(KINDS);
  }, 180_000);
});
