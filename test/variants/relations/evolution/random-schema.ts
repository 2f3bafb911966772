import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import type { ColumnType, Database } from '../../../../src/schema/schema.js';
import { quoteIdentifier } from '../../../../src/sql/dialect.js';

type Cell = string | number | null;

/** A column that some kind of evolution has to do with: its declared type, and values of it. */
interface Sort {
  readonly name: string;
  readonly declared: string;
  readonly values: readonly Cell[];
}

const SORTS: readonly Sort[] = [
  { name: 'full_name', declared: 'TEXT', values: ['Ann Lee', 'Bob Stone', 'Jan van Dyk'] },
  { name: 'birth_date', declared: 'TEXT', values: ['1990-01-31', '2001-12-05', '1987-07-07'] },
  { name: 'opened_on', declared: 'DATE', values: ['2020-01-02', '2020-03-04'] },
  { name: 'is_active', declared: 'INTEGER', values: [0, 1] },
  { name: 'level', declared: 'VARCHAR(20)', values: ['Junior', 'Senior', 'Master'] },
  { name: 'points', declared: 'INTEGER', values: [-2, 0, 7, 30] },
  { name: 'quantity', declared: 'TEXT', values: ['3', '12', '007'] },
  { name: 'budget', declared: 'REAL', values: [1.5, 2, 1e300] },
  { name: 'first_name', declared: 'TEXT', values: ['Ann', 'Bob'] },
  { name: 'last_name', declared: 'TEXT', values: ['Lee', 'van Dyk'] },
  { name: 'city', declared: 'TEXT', values: ['York', 'Lake Tia'] },
  { name: 'state', declared: 'TEXT', values: ['Ohio', 'Utah'] },
  { name: 'weight', declared: 'TEXT', values: ['70 kg', '81 kg'] },
  { name: 'order', declared: 'INTEGER', values: [1, 2] },
  { name: 'two words', declared: 'TEXT', values: ['a', "b'c"] },
];

const TABLES = ['player', 'team', 'stadium', 'match_record'];

/** A drawn column: its cells go round as the rows need them, each null where the list says so. */
const drawnColumn = (sort: Sort) =>
  fc.record({
    sort: fc.constant(sort),
    cells: fc.array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...sort.values) }, fc.constant(null)), {
      minLength: 5,
      maxLength: 5,
    }),
    isFilled: fc.boolean(),
  });

const drawnTable = fc.record({
  columns: fc
    .shuffledSubarray([...SORTS], { minLength: 2, maxLength: 6 })
    .chain((sorts) => fc.tuple(...sorts.map(drawnColumn))),
  /** Which earlier tables it refers to, by position. */
  refers: fc.array(fc.constantFrom(true, true, false), { minLength: TABLES.length, maxLength: TABLES.length }),
  /** Whether every key that refers has a row. */
  isLinked: fc.boolean(),
  /** Whether its key is those that it refers to, where there are two. */
  isPairing: fc.constantFrom(true, true, false),
  rows: fc.integer({ min: 2, max: 5 }),
});

/** A schema with its rows, and the statements that make its tables. */
export interface RandomSchema {
  readonly database: Database;
  readonly create: readonly string[];
  readonly rows: readonly (readonly (readonly Cell[])[])[];
}

const typeOf = (declared: string): ColumnType => (/INT|REAL/.test(declared) ? 'number' : 'text');

/** Two to four tables with keys, references, and columns of people, dates, flags, categories and numbers in any order. */
export const randomSchema: fc.Arbitrary<RandomSchema> = fc
  .tuple(fc.shuffledSubarray(TABLES, { minLength: 2 }), fc.array(drawnTable, { minLength: 4, maxLength: 4 }))
  .map(([names, drawn]) => {
    const foreignKeys: Database['foreignKeys'][number][] = [];
    const primaryKeys: Database['primaryKeys'][number][] = [];
    const made = names.map((name, table) => {
      const { columns, refers, isLinked, isPairing, rows } = drawn[table]!;
      const targets = [...Array(table).keys()].filter((other) => refers[other]);
      const isPair = isPairing && targets.length >= 2;
      const keys = targets.map((other) => ({ name: `${names[other]}_id`, declared: 'INTEGER', other }));
      const own = isPair ? [] : [{ name: `${name}_id`, declared: 'INTEGER' }];
      const all = [...own, ...columns.map(({ sort }) => sort), ...keys];
      const place = (column: string): number => all.findIndex((one) => one.name === column);
      for (const key of isPair ? keys.slice(0, 2) : own) primaryKeys.push({ table, column: place(key.name) });
      const cells = Array.from({ length: rows }, (_, r): Cell[] => [
        ...own.map(() => r + 1),
        ...columns.map(({ cells, sort, isFilled }) => cells[r] ?? (isFilled ? (sort.values[0] ?? null) : null)),
        // A key of two columns is that of its row: 1 and 1, 2 and 2.
        ...keys.map(({ other }) =>
          isPair || isLinked ? (r % drawn[other]!.rows) + 1 : r === 0 ? null : ((r * 3) % 6) + 1,
        ),
      ]);
      const unique = isPair
        ? cells.filter((_, r) => keys.slice(0, 2).every(({ other }) => r < drawn[other]!.rows))
        : cells;
      return { name, table, all, keys, isPair, cells: unique };
    });
    // Only a table with a number of its own can be referred to.
    for (const { table, keys, all } of made) {
      for (const { name, other } of keys) {
        const target = made[other]!;
        if (target.isPair) continue;
        foreignKeys.push({
          from: { table, column: all.findIndex((one) => one.name === name) },
          to: { table: other, column: 0 },
        });
      }
    }
    const database: Database = {
      id: 'drawn',
      tables: made.map(({ name, all }) => ({
        name: name.replaceAll('_', ' '),
        originalName: name,
        columns: all.map((column) => ({
          name: column.name.replaceAll('_', ' '),
          originalName: column.name,
          type: typeOf(column.declared),
        })),
      })),
      primaryKeys,
      foreignKeys,
    };
    const create = made.map(({ name, all, isPair, keys }) => {
      const list = all.map((column) => `${quoteIdentifier(column.name)} ${column.declared}`);
      const key = isPair ? keys.slice(0, 2).map((one) => one.name) : [all[0]!.name];
      return `CREATE TABLE ${quoteIdentifier(name)} (${list.join(', ')}, PRIMARY KEY (${key.map((one) => quoteIdentifier(one)).join(', ')}))`;
    });
    return { database, create, rows: made.map(({ cells }) => cells) };
  });

/** Writes tables and rows to a file. */
export function writeTables(file: string, { database, create, rows }: RandomSchema): void {
  const sqlite = new Sqlite(file);
  create.forEach((statement, t) => {
    sqlite.exec(statement);
    const { originalName, columns } = database.tables[t]!;
    const insert = sqlite.prepare(
      `INSERT INTO ${quoteIdentifier(originalName)} VALUES (${columns.map(() => '?').join(', ')})`,
    );
    for (const row of rows[t] ?? []) insert.run(...row);
  });
  sqlite.close();
}
