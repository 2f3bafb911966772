import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import type { Dataset, RowSource } from '../../../../src/formats/dataset.js';
import { RowReader } from '../../../../src/variants/databases/row-reader.js';
import { columnAbbreviation } from '../../../../src/variants/relations/evolution/column-abbreviation.js';
import { columnMerge } from '../../../../src/variants/relations/evolution/column-merge.js';
import { columnSplit } from '../../../../src/variants/relations/evolution/column-split.js';
import { columnTypeChange } from '../../../../src/variants/relations/evolution/column-type-change.js';
import { contentEquivalence } from '../../../../src/variants/relations/evolution/content-equivalence.js';
import { foreignKeyRemoval } from '../../../../src/variants/relations/evolution/foreign-key-removal.js';
import { surrogateKey } from '../../../../src/variants/relations/evolution/surrogate-key.js';
import { columnSynonym } from '../../../../src/variants/relations/schema/column-renaming.js';
import type { FurtherTable } from '../../../../src/variants/relations/evolution/further-tables.js';
import {
  neededColumnRemoval,
  neededTableRemoval,
  tableRemoval,
} from '../../../../src/variants/relations/evolution/removal.js';
import { tableAddition } from '../../../../src/variants/relations/evolution/table-addition.js';
import { tableMerge } from '../../../../src/variants/relations/evolution/table-merge.js';
import { tablePartition } from '../../../../src/variants/relations/evolution/table-partition.js';
import { tableRenaming } from '../../../../src/variants/relations/evolution/table-renaming.js';
import { tableSplit } from '../../../../src/variants/relations/evolution/table-split.js';
import type { Relation } from '../../../../src/variants/relations/relation.js';
import { columnAt, type ColumnType, type Database } from '../../../../src/schema/schema.js';
import { SQLITE, type SqlDialect } from '../../../../src/sql/dialect.js';

/** A table's columns with their declared types, the first its key. */
const TABLES = {
  player: {
    player_id: 'INTEGER',
    player_name: 'TEXT',
    birth_date: 'TEXT',
    is_active: 'INTEGER',
    level: 'VARCHAR(20)',
    points: 'INTEGER',
    arrived_on: 'DATE',
    team_id: 'INTEGER',
  },
  team: { team_id: 'INTEGER', first_name: 'TEXT', last_name: 'TEXT', city: 'TEXT', state: 'TEXT', budget: 'REAL' },
  visit: { player_id: 'INTEGER', team_id: 'INTEGER', number: 'TEXT' },
} as const;

const typeOf = (declared: string): ColumnType => (/INT|REAL/.test(declared) ? 'number' : 'text');

/** A club: players of teams with names, dates, flags and categories, and visits with a key of two columns. */
export const CLUB: Database = {
  id: 'club',
  tables: Object.entries(TABLES).map(([name, columns]) => ({
    name,
    originalName: name,
    columns: Object.entries(columns).map(([column, type]) => {
      return { name: column.replaceAll('_', ' '), originalName: column, type: typeOf(type) };
    }),
  })),
  primaryKeys: [
    { table: 0, column: 0 },
    { table: 1, column: 0 },
    { table: 2, column: 0 },
    { table: 2, column: 1 },
  ],
  foreignKeys: [
    { from: { table: 0, column: 7 }, to: { table: 1, column: 0 } },
    { from: { table: 2, column: 0 }, to: { table: 0, column: 0 } },
    { from: { table: 2, column: 1 }, to: { table: 1, column: 0 } },
  ],
};

type Cell = string | number | null;

const orNull = (values: fc.Arbitrary<Cell>): fc.Arbitrary<Cell> =>
  fc.oneof({ weight: 5, arbitrary: values }, fc.constant(null));
const player = fc.tuple(
  orNull(fc.constantFrom('Ann Lee', 'Bob Stone', 'Jan van Dyk', 'Ann Stone')),
  orNull(fc.constantFrom('1990-01-31', '2001-12-05', '1987-07-07')),
  orNull(fc.constantFrom(0, 1)),
  orNull(fc.constantFrom('Junior', 'Senior', 'Master')),
  orNull(fc.integer({ min: -2, max: 30 })),
  orNull(fc.constantFrom('2020-01-02', '2020-03-04')),
  orNull(fc.constantFrom(1, 2)),
);
const team = fc.tuple(
  fc.constantFrom('Ann', 'Bob'),
  fc.constantFrom('Lee', 'van Dyk'),
  fc.constantFrom('York', 'Lake Tia'),
  fc.constantFrom('Ohio', 'Utah'),
  orNull(fc.constantFrom(1.5, 2, 1e300)),
);

/** Rows of the club by table; keys are unique, every key that refers has a row to refer to. */
export const clubRows: fc.Arbitrary<readonly (readonly (readonly Cell[])[])[]> = fc
  .tuple(fc.array(player, { minLength: 4, maxLength: 9 }), fc.array(team, { minLength: 2, maxLength: 4 }), fc.boolean())
  .map(([players, teams, isLinked]) => [
    players.map((row, i) => [i + 1, ...(isLinked ? row.with(-1, (i % teams.length) + 1) : row)]),
    teams.map((row, i) => [i + 1, ...row]),
    players.slice(0, 3).map((_, i) => [i + 1, (i % 2) + 1, String(i * 7)]),
  ]);

/** Writes the club's database. */
export function writeClub(file: string, rows: readonly (readonly (readonly Cell[])[])[]): void {
  const sqlite = new Sqlite(file);
  Object.entries(TABLES).forEach(([name, columns], t) => {
    const list = Object.entries(columns).map(([column, type]) => `${column} ${type}`);
    const key = t === 2 ? 'player_id, team_id' : Object.keys(columns)[0];
    sqlite.exec(`CREATE TABLE ${name} (${list.join(', ')}, PRIMARY KEY (${key}))`);
    const insert = sqlite.prepare(`INSERT INTO ${name} VALUES (${list.map(() => '?').join(', ')})`);
    for (const row of rows[t] ?? []) insert.run(...row);
  });
  sqlite.close();
}

/** A data set of one file. */
export function datasetAt(file: string): Dataset {
  return { sqliteBytes: () => 1, sqliteFile: () => file } as unknown as Dataset;
}

/** Tables of an index: one of the club's kind, one of another, and one that has a name of the club. */
const FURTHER: readonly FurtherTable[] = [
  {
    level: 'related',
    table: {
      id: 'a',
      title: 'Coaches',
      columns: ['coach name', 'salary'],
      types: ['text', 'number'],
      rows: [
        ["Ann O'Hara", '12.5'],
        ['Bo', '13'],
      ],
    },
  },
  {
    level: 'unrelated',
    table: {
      id: 'b',
      title: 'Storms',
      columns: ['storm', 'began on'],
      types: ['text', 'time'],
      rows: [['Zeta', '2020-10-24']],
    },
  },
  { level: 'unrelated', table: { id: 'c', title: 'Team', columns: ['city'], types: ['text'], rows: [['York']] } },
];

/** All kinds of evolution over one file's rows; synonyms need no dictionary. */
export function evolutionKinds(dataset: RowSource, dialect: SqlDialect = SQLITE): readonly Relation[] {
  const rows = new RowReader(dataset);
  const synonyms = {
    fingerprint: 'test',
    of: (database: Database, ref: { table: number; column: number }) =>
      Promise.resolve([`${columnAt(database, ref).name} now`]),
  };
  return [
    tableRenaming(synonyms, dialect),
    columnAbbreviation(dialect),
    columnSynonym(synonyms, dialect),
    tableAddition({ fingerprint: 'test', of: () => Promise.resolve(FURTHER) }, dialect),
    tableRemoval(dialect),
    columnSplit(rows, dialect),
    columnMerge(rows, dialect),
    columnTypeChange(rows, dialect),
    tableSplit(rows, dialect),
    tablePartition(rows, dialect),
    tableMerge(rows, dialect),
    surrogateKey(rows, dialect),
    foreignKeyRemoval(dialect),
    contentEquivalence(rows, 'same', dialect),
    neededColumnRemoval(dialect),
    neededTableRemoval(dialect),
  ];
}
