import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { renderMutantScript } from '../../../src/variants/databases/mutant-databases.js';
import { type Mutation, seedCase } from '../../../src/variants/relations/relation.js';
import { asView } from '../../../src/schema/column-family.js';
import type { Database } from '../../../src/schema/schema.js';
import { SQLITE } from '../../../src/sql/dialect.js';
import { executableSql } from '../../../src/sql/executable-sql.js';
import { materializeSchema } from '../../../src/variants/databases/materialize-schema.js';
import { mutateOne } from '../relations/cases.js';
import { CLUB, datasetAt, evolutionKinds, writeClub } from '../relations/evolution/club-fixture.js';

const folder = mkdtempSync(join(tmpdir(), 'perturbql-view-mutants-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PLAYERS = [
  [1, 'Ann Lee', '1990-01-31', 1, 'Senior', 12, '2020-01-02', 1],
  [2, 'Jan Dyk', '2001-12-05', 0, 'Junior', 3, '2020-03-04', 1],
  [3, 'Bob Stone', '1991-05-06', 1, 'Senior', -2, '2020-03-04', 2],
  [4, 'Eve Stone', '1990-01-31', 1, 'Junior', 3, '2020-03-04', 2],
] as const;
const TEAMS = [
  [1, 'Ann', 'Lee', 'York', 'Ohio', 1.5],
  [2, 'Bob', 'van Dyk', 'Lake Tia', 'Utah', 2],
] as const;
const VISITS = [[1, 1, '7']] as const;

/** Views with a constant, a comparison of dates, a star, a natural join, and one over another. */
const VIEWS: Readonly<Record<string, readonly [columns: string, query: string]>> = {
  seniors: ['player_name points', "SELECT player_name, points FROM player WHERE level = 'Senior'"],
  elders: ['player_name birth_date', "SELECT player_name, birth_date FROM player WHERE birth_date < '1995-01-01'"],
  everyone: [CLUB.tables[0]!.columns.map(({ originalName }) => originalName).join(' '), 'SELECT * FROM player'],
  members: ['player_name city', 'SELECT player_name, city FROM player NATURAL JOIN team'],
  old_seniors: ['player_name', 'SELECT player_name FROM seniors'],
  visited: ['number', 'SELECT number FROM visit'],
};

const SCHEMA: Database = {
  ...CLUB,
  tables: [
    ...CLUB.tables,
    ...Object.entries(VIEWS).map(([name, [columns]]) => {
      const named = columns.split(' ').map((column) => ({ name: column, originalName: column, type: 'text' as const }));
      return asView({ name, originalName: name, columns: named });
    }),
  ],
};

const file = join(folder, 'club.sqlite');
writeClub(file, [PLAYERS, TEAMS, VISITS]);
const original = new Sqlite(file);
for (const [name, [, query]] of Object.entries(VIEWS)) original.exec(`CREATE VIEW ${name} AS ${query}`);
const expected = new Map(Object.keys(VIEWS).map((view) => [view, rowsOf(original, `SELECT * FROM ${view}`)]));
original.close();

function rowsOf(sqlite: Sqlite.Database, sql: string): unknown {
  return sqlite.prepare(sql).raw().all();
}

/** Writes the database of a mutant. */
const WRITERS: Readonly<Record<string, (target: string, mutation: Mutation) => void>> = {
  copy: (target, { mutated }) => materializeSchema(file, target, SCHEMA, mutated!),
  migrations: (target, { mutated }) => {
    copyFileSync(file, target);
    const sqlite = new Sqlite(target);
    sqlite.exec(renderMutantScript({ origin: SCHEMA, mutated: mutated!, dialect: SQLITE }, 'migrations'));
    sqlite.close();
  },
};

describe('mutants of golds that read views', () => {
  it.each(Object.keys(WRITERS))(
    'return what the view does on the original, whatever its tables become: %s',
    async (mode) => {
      const kinds = new Set<string>();
      const wrong: string[] = [];
      for (const relation of evolutionKinds(datasetAt(file), SQLITE)) {
        for (const view of Object.keys(VIEWS)) {
          const one = seedCase({ id: 'own:0', dbId: CLUB.id, question: '?', query: `SELECT * FROM ${view}` }, SCHEMA);
          const result = await mutateOne(relation, one, 20);
          for (const mutation of 'reason' in result ? [] : result) {
            if (mutation.query === null) continue;
            const target = join(folder, `${mode}.sqlite`);
            WRITERS[mode]!(target, mutation);
            const sqlite = new Sqlite(target, { readonly: true });
            const rows = rowsOf(sqlite, executableSql(mutation.query, mutation.mutated!.schema));
            sqlite.close();
            rmSync(target);
            kinds.add(relation.id);
            if (JSON.stringify(rows) !== JSON.stringify(expected.get(view))) wrong.push(`${view}: ${mutation.detail}`);
          }
        }
      }
      expect(wrong).toEqual([]);
      expect([...kinds]).toEqual(expect.arrayContaining(['CTy', 'CEq', 'TSp', 'TPa', 'CSp', 'TMe']));
    },
  );

  it('keep the view where it reads the new tables as it read the old ones', async () => {
    const [split] = evolutionKinds(datasetAt(file), SQLITE).filter(({ id }) => id === 'TSp');
    const one = seedCase({ id: 'own:0', dbId: CLUB.id, question: '?', query: 'SELECT number FROM visited' }, SCHEMA);
    const made = await mutateOne(split!, one, 20);
    const player = ('reason' in made ? [] : made).find(({ detail }) => detail.startsWith('split player'))!;
    const target = join(folder, 'kept.sqlite');
    WRITERS.copy!(target, player);
    const sqlite = new Sqlite(target, { readonly: true });
    const types = rowsOf(
      sqlite,
      "SELECT name, type FROM sqlite_schema WHERE name IN ('visited', 'everyone') ORDER BY 1",
    );
    sqlite.close();
    expect(types).toEqual([
      ['everyone', 'table'],
      ['visited', 'view'],
    ]);
  });
});
