import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { InputFormatError } from '../../../src/errors.js';
import type { RowSource } from '../../../src/formats/dataset.js';
import { loadDataset } from '../../../src/formats/load-dataset.js';
import { RowReader } from '../../../src/variants/databases/row-reader.js';
import { renderMutantScript } from '../../../src/variants/databases/mutant-databases.js';
import { type Mutation, seedCase } from '../../../src/variants/relations/relation.js';
import { flattening } from '../../../src/variants/relations/schema/flattening.js';
import { restoreValues } from '../../../src/variants/verify/verify-groups.js';
import { groupBy } from '../../../src/run/group-by.js';
import { SQLITE, type SqlDialect } from '../../../src/sql/dialect.js';
import { executableSql } from '../../../src/sql/executable-sql.js';
import type { QueryRows } from '../../../src/sql/execution/query-outcome.js';
import { MYSQL } from '../../../src/sql/mysql-dialect.js';
import { POSTGRESQL } from '../../../src/sql/postgresql-dialect.js';
import {
  createScratchDatabase,
  livePaths,
  type ScratchDatabase,
  type ServerFormat,
  serverOf,
  serverTitle,
} from '../../formats/live-database/live-servers.js';
import { mutateOne } from '../relations/cases.js';
import { CLUB, datasetAt, evolutionKinds, writeClub } from '../relations/evolution/club-fixture.js';

const folder = mkdtempSync(join(tmpdir(), 'perturbql-scripts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ROWS = [
  [
    [1, 'Ann Lee', '1990-01-31', 1, 'Senior', 12, '2020-01-02', 1],
    [2, 'Jan van Dyk', '2001-12-05', 0, 'Junior', 3, '2020-03-04', 1],
    [3, 'Bob Stone', null, 1, 'Senior', -2, '2020-03-04', 2],
    [4, 'Eve Stone', '1990-01-31', null, 'Junior', 3, '2020-03-04', null],
  ],
  [
    [1, 'Ann', 'Lee', 'York', 'Ohio', 1.5],
    [2, 'Bob', 'van Dyk', 'Lake Tia', 'Utah', 2],
    [3, 'Cy', 'Orr', 'York', 'Utah', null],
  ],
  [
    [1, 1, '7'],
    [2, 1, '0'],
  ],
] as const;
const file = join(folder, 'club.sqlite');
writeClub(file, ROWS);

const QUERIES = [
  "SELECT player_name, points FROM player WHERE level = 'Senior'",
  'SELECT count(*) FROM team',
  'SELECT p.player_name, t.city FROM player AS p JOIN team AS t ON p.team_id = t.team_id',
  'SELECT level, count(*) FROM player GROUP BY level',
  "SELECT number FROM visit WHERE player_id = 1 AND number > '3'",
  // MySQL's texts are equal whatever their case.
  "SELECT player_name FROM player WHERE level = 'junior'",
];

/** What golds do with columns that a kind can write otherwise. */
const RECODED_QUERIES = [
  "SELECT player_name, birth_date FROM player WHERE player_name = 'Jan van Dyk' OR birth_date < '1995-01-01'",
  "SELECT count(*), is_active FROM player WHERE player_name LIKE '%Stone' GROUP BY is_active",
  'SELECT DISTINCT birth_date FROM player WHERE birth_date IS NOT NULL ORDER BY birth_date DESC',
  "SELECT player_id FROM player WHERE arrived_on BETWEEN '2020-02-01' AND '2020-12-31' AND is_active = 1",
  'SELECT arrived_on, sum(points) FROM player GROUP BY arrived_on ORDER BY sum(points)',
  "SELECT first_name, last_name FROM team WHERE city = 'York' AND last_name > 'M' OR state IN ('Ohio')",
  'SELECT p.player_name FROM player AS p JOIN team AS t ON p.team_id = t.team_id WHERE p.points - 1 > t.budget',
  "SELECT player_id FROM visit WHERE number IN ('0', '7')",
];
const RECODING_KINDS = ['CSp', 'CMe', 'CTy'];

/** A mutation of a kind that has rows to compare. */
interface Made {
  readonly kind: string;
  readonly query: string;
  readonly mutation: Mutation;
}

/** Mutations of each kind and query, by the schema that they are asked of. */
async function mutations(
  dialect: SqlDialect,
  rows: RowSource = datasetAt(file),
): Promise<ReadonlyMap<string, readonly Made[]>> {
  const made: Made[] = [];
  const kinds = [...evolutionKinds(rows, dialect), flattening(new RowReader(rows), dialect)];
  for (const relation of kinds) {
    const isRecoding = RECODING_KINDS.includes(relation.id);
    for (const query of isRecoding ? RECODED_QUERIES : QUERIES) {
      const one = seedCase({ id: 'own:0', dbId: CLUB.id, question: '?', query }, CLUB);
      const result = await mutateOne(relation, one, isRecoding ? 20 : 2);
      for (const mutation of 'reason' in result ? [] : result) {
        if (mutation.query !== null) made.push({ kind: relation.id, query, mutation });
      }
    }
  }
  return groupBy(made, ({ mutation }) => mutation.mutated!.schema.id);
}

/** The kinds that read rows, each of which the club has a change for. */
const READING_KINDS = [...RECODING_KINDS, 'TSp', 'TPa', 'TMe', 'SK', 'CEq', 'FL'];

type Rows = readonly (readonly unknown[])[];

/** Rows as a bag of texts, new values restored. */
function bagOf(rows: Rows, mapping: Mutation['mapping'] = null): readonly string[] {
  const result = { kind: 'rows', columns: [], rows: rows as QueryRows['rows'] } as const;
  return restoreValues(result, mapping ?? null)
    .rows.map((row) => row.map(String).join('|'))
    .sort();
}

const script = ({ mutated }: Mutation, dialect: SqlDialect, mode: 'views' | 'migrations'): string =>
  renderMutantScript({ origin: CLUB, mutated: mutated!, dialect }, mode);

const kindsOf = (made: readonly Made[]): ReadonlySet<string> => new Set(made.map(({ kind }) => kind));
const detailsOf = (made: readonly Made[]): readonly string[] => made.map(({ mutation }) => mutation.detail);

describe('scripts of mutated schemas', () => {
  it.each(['views', 'migrations'] as const)(
    'give golds their rows in SQLite, as %s',
    async (mode) => {
      const made = await mutations(SQLITE);
      for (const group of made.values()) {
        const target = join(folder, `${mode}.sqlite`);
        copyFileSync(file, target);
        const sqlite = new Sqlite(target);
        const rowsOf = (sql: string): Rows => sqlite.prepare(sql).raw().all() as Rows;
        const expected = group.map(({ query }) => bagOf(rowsOf(query)));
        sqlite.exec(script(group[0]!.mutation, SQLITE, mode));
        group.forEach(({ mutation }, i) => {
          const gold = executableSql(String(mutation.query), mutation.mutated!.schema);
          const label = `${mutation.detail}: ${mutation.query}`;
          expect([label, bagOf(rowsOf(gold), mutation.mapping)]).toEqual([label, expected[i]]);
        });
        sqlite.close();
        rmSync(target);
      }
      expect([...kindsOf([...made.values()].flat())]).toEqual(expect.arrayContaining(READING_KINDS));
    },
    60_000,
  );

  it('refuse values that are made as a database is written', async () => {
    const content = CLUB.tables.map(({ originalName }) => ({ select: `SELECT * FROM ${originalName}`, made: ['x'] }));
    const mutated = { schema: { ...CLUB, id: 'club~1' }, origin: 'club', content };
    expect(() => renderMutantScript({ origin: CLUB, mutated, dialect: SQLITE }, 'views')).toThrow(InputFormatError);
  });
});

const TYPES: Readonly<Record<string, string>> = {
  player_name: 'VARCHAR(40)',
  birth_date: 'VARCHAR(10)',
  level: 'VARCHAR(20)',
  arrived_on: 'DATE',
  first_name: 'VARCHAR(20)',
  last_name: 'VARCHAR(20)',
  city: 'VARCHAR(20)',
  state: 'VARCHAR(20)',
  number: 'VARCHAR(5)',
  budget: 'FLOAT',
};

const literal = (cell: string | number | null): string =>
  cell === null ? 'NULL' : typeof cell === 'number' ? String(cell) : `'${cell}'`;

/** The club's tables for a server. */
function clubStatements(): readonly string[] {
  return [1, 0, 2].flatMap((t) => {
    const { originalName, columns } = CLUB.tables[t]!;
    const list = columns.map(({ originalName: name }) => `${name} ${TYPES[name] ?? 'INTEGER'}`);
    const key = CLUB.primaryKeys.filter(({ table }) => table === t).map(({ column }) => columns[column]!.originalName);
    const rows = ROWS[t]!.map((row) => `(${row.map(literal).join(', ')})`).join(', ');
    return [
      `CREATE TABLE ${originalName} (${list.join(', ')}, PRIMARY KEY (${key.join(', ')}))`,
      `INSERT INTO ${originalName} VALUES ${rows}`,
    ];
  });
}

const statementsOf = (text: string): readonly string[] => text.split('\n').filter((line) => /^[^-]/.test(line));

describe.each<[ServerFormat, SqlDialect]>([
  ['postgresql', POSTGRESQL],
  ['mysql', MYSQL],
])('%s', (format, dialect) => {
  describe.skipIf(serverOf(format) === null)(serverTitle('scripts of mutated schemas', format), () => {
    const useOf = (id: string): string => (format === 'mysql' ? `USE \`${id}\`` : `SET search_path TO "${id}"`);
    const dropOf = (id: string): string =>
      format === 'mysql' ? `DROP DATABASE \`${id}\`` : `DROP SCHEMA "${id}" CASCADE`;

    /** Empties the database, and writes the club's tables; MariaDB's in memory, which is quick, have no foreign keys. */
    function fill(scratch: ScratchDatabase, hasKeys: boolean): Promise<void> {
      if (format === 'postgresql')
        return scratch.run('DROP SCHEMA public CASCADE', 'CREATE SCHEMA public', ...clubStatements());
      const { name } = scratch;
      const engine = `SET default_storage_engine = ${hasKeys ? 'InnoDB' : 'MEMORY'}`;
      return scratch.run(
        engine,
        `DROP DATABASE ${name}`,
        `CREATE DATABASE ${name}`,
        `USE ${name}`,
        ...clubStatements(),
      );
    }

    async function withClub(use: (scratch: ScratchDatabase) => Promise<void>): Promise<void> {
      const scratch = await createScratchDatabase(format);
      try {
        await fill(scratch, true);
        await use(scratch);
      } finally {
        await scratch.drop();
      }
    }

    /** What the club's own database gives for each gold, and after a script. */
    async function compare(scratch: ScratchDatabase, made: readonly Made[], play: () => Promise<void>): Promise<void> {
      const restored = (made[0]!.mutation.mapping ?? []).filter((one) => one.restored !== null);
      const values = restored.map(({ column }) => `SELECT ${column} FROM ${column.split('.')[0]!}`);
      const before: (readonly string[])[] = [];
      for (const sql of [...values, ...made.map(({ query }) => query)]) before.push(bagOf(await scratch.rows(sql)));
      await play();
      const queries = restored.map(({ restored: sql, now }) => `SELECT ${sql!} FROM ${now[0]!.split('.')[0]!}`);
      const asked = [...queries.map((query) => ({ query, mapping: null })), ...made.map(({ mutation }) => mutation)];
      for (const [i, { query, mapping }] of asked.entries()) {
        const label = `${made[0]!.mutation.detail}: ${query}`;
        expect([label, bagOf(await scratch.rows(String(query)), mapping)]).toEqual([label, before[i]]);
      }
    }

    async function liveMutations(scratch: ScratchDatabase): Promise<ReadonlyMap<string, readonly Made[]>> {
      const dataset = await loadDataset(livePaths(format, scratch.url));
      return mutations(dialect, await dataset.readServerRows!());
    }

    it('give golds and values their rows, as views', async () => {
      await withClub(async (scratch) => {
        const made = await liveMutations(scratch);
        for (const [id, group] of made) {
          const views = statementsOf(script(group[0]!.mutation, dialect, 'views'));
          try {
            await compare(scratch, group, () => scratch.run(...views, useOf(id)));
          } finally {
            await scratch.run(useOf(format === 'mysql' ? scratch.name : 'public'), dropOf(id));
          }
        }
        const all = [...made.values()].flat();
        expect([...kindsOf(all)]).toEqual(expect.arrayContaining(READING_KINDS));
        // Rows of the server and of the file say the same.
        expect(detailsOf(all)).toEqual(detailsOf([...(await mutations(dialect)).values()].flat()));
      });
    }, 120_000);

    it('give golds and values their rows, as migrations', async () => {
      const groups = [...(await mutations(dialect)).values()];
      // One of each kind, and each way in which a kind writes values.
      const ways = new Map(
        groups.map((group) => {
          const { kind, mutation } = group[0]!;
          return [`${kind} ${mutation.mapping == null ? '' : mutation.level}`, group] as const;
        }),
      );
      await withClub(async (scratch) => {
        for (const group of ways.values()) {
          await fill(scratch, group[0]!.mutation.mapping == null);
          await compare(scratch, group, () =>
            scratch.run(...statementsOf(script(group[0]!.mutation, dialect, 'migrations'))),
          );
        }
      });
      expect([...kindsOf([...ways.values()].flat())]).toEqual(expect.arrayContaining(READING_KINDS));
    }, 120_000);
  });
});
