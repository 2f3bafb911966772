import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { InputFormatError } from '../../../src/errors.js';
import { renderMutantScript } from '../../../src/metamorphic/database/mutant-script.js';
import { seedCase } from '../../../src/metamorphic/mutation-case.js';
import type { Mutation } from '../../../src/metamorphic/relation.js';
import { restoreValues } from '../../../src/perturb/verify/restore-values.js';
import { SQLITE, type SqlDialect } from '../../../src/sql/dialect.js';
import { executableSql } from '../../../src/sql/execution/executable-sql.js';
import type { QueryRows } from '../../../src/sql/execution/query-outcome.js';
import { MYSQL } from '../../../src/sql/mysql-dialect.js';
import { POSTGRESQL } from '../../../src/sql/postgresql-dialect.js';
import {
  createScratchDatabase,
  type ScratchDatabase,
  type ServerFormat,
  serverOf,
  serverTitle,
} from '../../formats/live-database/live-servers.js';
import { mutateOne } from '../cases.js';
import { CLUB, datasetAt, evolutionKinds, writeClub } from '../evolution/club-fixture.js';

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
];
const RECODING_KINDS = ['CSp', 'CMe', 'CTy'];

/** A mutation of each kind and query that has rows to compare. */
async function mutations(
  dialect: SqlDialect,
  most: number,
  queries: readonly string[] = QUERIES,
  isWanted = (_kind: string): boolean => true,
): Promise<readonly (readonly [string, Mutation])[]> {
  const made: (readonly [string, Mutation])[] = [];
  for (const relation of evolutionKinds(datasetAt(file), dialect).filter(({ id }) => isWanted(id))) {
    for (const query of queries) {
      const one = seedCase({ id: 'own:0', dbId: CLUB.id, question: '?', query }, CLUB);
      const result = await mutateOne(relation, one, most);
      for (const mutation of 'reason' in result ? [] : result) {
        if (mutation.query !== null) made.push([query, mutation]);
      }
    }
  }
  return made;
}

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

describe('scripts of mutated schemas', () => {
  it.each(['views', 'migrations'] as const)(
    'give golds their rows in SQLite, as %s',
    async (mode) => {
      const made = await mutations(SQLITE, 3);
      const kinds = new Set<string>();
      for (const [query, mutation] of made) {
        const target = join(folder, `${mode}.sqlite`);
        copyFileSync(file, target);
        const sqlite = new Sqlite(target);
        const expected = bagOf(sqlite.prepare(query).raw().all() as Rows);
        sqlite.exec(script(mutation, SQLITE, mode));
        const gold = executableSql(String(mutation.query), mutation.mutated!.schema);
        const label = `${mutation.detail}: ${mutation.query}`;
        expect([label, bagOf(sqlite.prepare(gold).raw().all() as Rows, mutation.mapping)]).toEqual([label, expected]);
        kinds.add(mutation.detail.split(' ')[0]!);
        sqlite.close();
        rmSync(target);
      }
      expect(kinds.size).toBeGreaterThan(5);
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
  ...{ player_name: 'VARCHAR(40)', birth_date: 'VARCHAR(10)', level: 'VARCHAR(20)', arrived_on: 'DATE' },
  ...{ first_name: 'VARCHAR(20)', last_name: 'VARCHAR(20)', city: 'VARCHAR(20)', state: 'VARCHAR(20)' },
  ...{ number: 'VARCHAR(5)', budget: 'FLOAT' },
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

    async function filled(): Promise<ScratchDatabase> {
      const scratch = await createScratchDatabase(format);
      await scratch.run(...clubStatements());
      return scratch;
    }

    it('give golds their rows, as views', async () => {
      const scratch = await filled();
      const [made, kinds] = [await mutations(dialect, 2), new Set<string>()];
      try {
        for (const [query, mutation] of made) {
          const { id } = mutation.mutated!.schema;
          const expected = bagOf(await scratch.rows(query));
          await scratch.run(...statementsOf(script(mutation, dialect, 'views')), useOf(id));
          const label = `${mutation.detail}: ${mutation.query}`;
          expect([label, bagOf(await scratch.rows(String(mutation.query)), mutation.mapping)]).toEqual([
            label,
            expected,
          ]);
          await scratch.run(useOf(format === 'mysql' ? scratch.name : 'public'), dropOf(id));
          kinds.add(mutation.detail.split(' ')[0]!);
        }
      } finally {
        await scratch.drop();
      }
      expect(kinds.size).toBeGreaterThan(5);
    }, 120_000);

    it('debug', async () => {
      const scratch = await filled();
      for (const [query, mutation] of await mutations(dialect, 20, RECODED_QUERIES, (id) => RECODING_KINDS.includes(id))) {
        const { id } = mutation.mutated!.schema;
        const expected = bagOf(await scratch.rows(query));
        const text = script(mutation, dialect, 'views');
        console.log(mutation.detail, '\n', mutation.query, '\n', JSON.stringify(mutation.mapping), '\n', text.split('\n').filter((l) => l.includes('substr') || l.includes('CASE') || l.includes('CAST') || l.includes('concat')).join('\n'));
        try {
        await scratch.run(...statementsOf(text), useOf(id));
        const rows = bagOf(await scratch.rows(String(mutation.query)), mutation.mapping);
        if (JSON.stringify(rows) !== JSON.stringify(expected)) console.log('DIFFERENT', rows, expected);
        } catch (error) { console.log('ERROR', String(error)); }
        await scratch.run(useOf(format === 'mysql' ? scratch.name : 'public'), dropOf(id));
      }
      await scratch.drop();
    }, 60_000);

    it('give golds their rows, as migrations', async () => {
      const made = await mutations(dialect, 1);
      // One of each kind, as each takes a database.
      const kinds = new Map(
        made.map(([query, mutation]) => [mutation.detail.split(' ')[0]!, [query, mutation] as const]),
      );
      for (const [query, mutation] of kinds.values()) {
        const scratch = await filled();
        try {
          const expected = bagOf(await scratch.rows(query));
          await scratch.run(...statementsOf(script(mutation, dialect, 'migrations')));
          const label = `${mutation.detail}: ${mutation.query}`;
          expect([label, bagOf(await scratch.rows(String(mutation.query)), mutation.mapping)]).toEqual([
            label,
            expected,
          ]);
        } finally {
          await scratch.drop();
        }
      }
      expect(kinds.size).toBeGreaterThan(5);
    }, 120_000);
  });
});
