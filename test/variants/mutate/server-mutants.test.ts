import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderSpiderTables } from '../../../src/formats/spider-tables.js';
import { mutate } from '../../../src/variants/mutate/mutate.js';
import type { MutateInput } from '../../../src/variants/mutate/mutate-options.js';
import type { MutantRecord } from '../../../src/formats/artifacts/mutants.js';
import { createFile } from '../../formats/format-fixture.js';
import {
  createFilledDatabase,
  livePaths,
  type ServerFormat,
  serverOf,
  serverTitle,
} from '../../formats/live-database/live-servers.js';
import { CLUB, writeClub } from '../relations/evolution/club-fixture.js';

const scriptOf = (out: string, id: string): string => readFileSync(join(out, 'database', id, `${id}.sql`), 'utf8');

/** Mutants of split and retyped columns, with their views. */
async function mutants(input: Omit<MutateInput, 'out'>, out: string): Promise<readonly MutantRecord[]> {
  await mutate({ relations: ['CSp', 'CTy'], guard: false, ...input, materialize: 'views', out });
  const lines = readFileSync(join(out, 'mutants.jsonl'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as MutantRecord);
}

it('reads the rows of golds of a server’s dialect from the SQLite files next to them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'server-mutants-'));
  const at = (name: string): string => join(folder, name);
  mkdirSync(at('database/club'), { recursive: true });
  writeClub(at('database/club/club.sqlite'), [[[1, 'Ann Lee', '1990-01-31', 1, 'Junior', 3, '2020-01-02', 1]], [], []]);
  writeFileSync(at('tables.json'), JSON.stringify([renderSpiderTables(CLUB)]));
  const question = { question_id: 1, db_id: 'club', question: 'Who?', SQL: 'SELECT T1.player_name FROM player AS T1' };
  writeFileSync(at('mini_dev_postgresql.json'), JSON.stringify([{ ...question, evidence: '' }]));
  const paths = { tables: at('tables.json'), examples: at('mini_dev_postgresql.json'), databases: at('database') };
  const made = await mutants({ dataset: 'bird', ...paths, relations: ['CSp'] }, at('run'));
  const [named] = made.filter(({ details }) => details[0]?.startsWith('split player.player_name'));
  expect(named?.query).toBe("SELECT T1.first_name || ' ' || T1.last_name FROM player AS T1");
  expect(scriptOf(at('run'), named?.db_id ?? '')).toContain('CREATE VIEW');
  expect(existsSync(join(at('run'), 'database', named?.db_id ?? '', 'club.sqlite'))).toBe(false);
});

const PEOPLE = [
  'CREATE TABLE person (id int PRIMARY KEY, full_name varchar(40), born date)',
  "INSERT INTO person VALUES (1, 'Ann Lee', '1990-01-31'), (2, 'Jan van Dyk', '2001-12-05')",
];
const GOLD = "SELECT full_name, born FROM person WHERE born > '1995-01-01' OR full_name LIKE 'Ann%'";
const FORMATS: readonly [ServerFormat][] = [['postgresql'], ['mysql']];

describe.each(FORMATS)('%s', (format) => {
  describe.skipIf(serverOf(format) === null)(serverTitle('mutants of a server’s database', format), () => {
    const useOf = (id: string): string => (format === 'mysql' ? `USE \`${id}\`` : `SET search_path TO "${id}"`);

    it('have golds that give the same on their views', async () => {
      const scratch = await createFilledDatabase(format, PEOPLE);
      const expected = await scratch.rows(GOLD);
      expect(expected).toHaveLength(2);
      const out = join(mkdtempSync(join(tmpdir(), 'server-mutants-')), 'run');
      const examples = createFile(`${JSON.stringify({ question: 'Who?', query: GOLD })}\n`, 'ask.jsonl');
      const made = await mutants(livePaths(format, scratch.url, examples), out);
      expect(made.map(({ details }) => details[0])).toEqual([
        'split person.full_name into first_name, last_name',
        'split person.born into born_year, born_month, born_day',
        'changed person.born to compact date',
        'changed person.born to American date',
      ]);
      for (const { db_id: id, query } of made) {
        const statements = scriptOf(out, id)
          .split('\n')
          .filter((line) => /^[^-]/.test(line));
        await scratch.run(...statements, useOf(id));
        expect([query, await scratch.rows(String(query))]).toEqual([query, expected]);
        await scratch.run(useOf(format === 'mysql' ? scratch.name : 'public'));
        if (format === 'mysql') await scratch.run(`DROP DATABASE \`${id}\``);
      }
    });
  });
});
