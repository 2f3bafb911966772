import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readClassicalQueries } from '../../bench/suite/classical-queries.js';
import { measureSuite, suiteBytes } from '../../bench/suite/measured-suite.js';
import { runSuiteBench } from '../../bench/suite/run-suite-bench.js';
import { InputFormatError } from '../../src/errors.js';
import type { Database } from '../../src/schema/schema.js';

function schema(id: string, tables: Readonly<Record<string, readonly string[]>>): Database {
  const made = Object.entries(tables).map(([name, columns]) => ({
    name,
    originalName: name,
    columns: columns.map((column) => ({ name: column, originalName: column, type: 'text' as const })),
  }));
  return { id, tables: made, primaryKeys: [], foreignKeys: [] };
}

const PAPERS = schema('papers', { author: ['name', 'homepage'], paper: ['title'] });
const FILMS = schema('films', { author: ['name'], film: ['title', 'year'] });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bench-suite-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('readClassicalQueries', () => {
  it('gives each query to the schema that has its names, an ambiguous one to that of the line before', () => {
    const file = join(folder, 'queries.txt');
    const lines = [
      'SELECT TITLE FROM PAPER ;',
      'SELECT NAME FROM AUTHOR WHERE NAME = "Ann" ;',
      'SELECT number FROM course ;',
      '',
      'SELECT title FROM film WHERE year = 1 ;',
      'SELECT NAME FROM AUTHOR WHERE NAME = "Ann" ;',
      'SELECT title FROM film WHERE year = 1 ;',
    ];
    writeFileSync(file, lines.join('\n'));
    const { sets, unbound } = readClassicalQueries(file, [PAPERS, FILMS]);
    expect(unbound).toBe(1);
    expect(sets.map(({ database, lines }) => [database.id, lines])).toEqual([
      ['papers', 2],
      ['films', 3],
    ]);
    expect(sets[0]?.golds).toEqual(['SELECT TITLE FROM PAPER ;', "SELECT NAME FROM AUTHOR WHERE NAME = 'Ann' ;"]);
    expect(sets[1]?.golds).toHaveLength(2);
  });
});

describe('measureSuite', () => {
  it('counts neighbors, those left and the bytes of a suite without an original', async () => {
    const golds = ["SELECT title FROM film WHERE year = '1999'"];
    const budget = { randomDatabases: 10, targetedDatabases: 2, redundancy: 1, allRound: 0 };
    const told: string[] = [];
    const task = { database: FILMS, file: null, golds, seed: 1, budget, data: 'observed' as const };
    const { schema, neighbors, equivalent, left } = await measureSuite(task, (line) => told.push(line));
    expect(neighbors + equivalent).toBe(schema.golds[0]?.neighbors);
    expect(left).toBeLessThan(neighbors);
    expect(told[0]).toMatch(/^films: \d+ databases tried, \d+ of \d+ neighbors left$/u);
    expect(suiteBytes(task, schema)).toBeGreaterThan(100);
  });
});

describe('bench:suite', () => {
  it.each([[[]], [['--classical']]])('says what is absent: %j', async (args) => {
    const output = { print: () => undefined, tell: () => undefined, record: () => undefined };
    const places = ['--tables', join(folder, 'tables.json'), '--gold', join(folder, 'gold.sql')];
    await expect(runSuiteBench([...args, ...places], folder, output)).rejects.toThrow(InputFormatError);
  });
});
