import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { PROJECT_CANDIDATES } from '../../../src/annotate/final-candidates.js';
import { importAnnotations } from '../../../src/annotate/exchange/import-annotations.js';
import { renderStatisticsLines } from '../../../src/cli/statistics-lines.js';
import { renderCandidate } from '../../../src/formats/artifacts/candidates.js';
import { PATH_DEFAULTS } from '../../../src/formats/dataset.js';
import { toDecision } from '../../../src/formats/adveta-release.js';
import { candidateStatistics } from '../../../src/variants/candidates/candidate-statistics.js';
import { writeSqualls, writeWikiSql, writeWikiSqlRelease, writeWtqRelease } from './adveta-fixture.js';

const folder = mkdtempSync(join(tmpdir(), 'perturbql-'));

/** An invented release: three columns, two of them with names to replace them by, one with columns to add. */
const KEEPER = {
  header: ['keeper id', 'home country', 'name'],
  db_id: 'lighthouse_museum',
  table_name_original: 'Keeper',
  column_names_original: ['Keeper_ID', 'Home_Country', 'Name'],
  table_id: 'LIGHT_7',
};
const TOWER = { ...KEEPER, header: ['tower id'], table_name_original: 'Tower', column_names_original: ['Tower_ID'] };
const RPL = {
  LIGHT_7: { ...KEEPER, dict: { 'home country': ['homeland', 'nation', 'Homeland', ' '], name: ['homeland'] } },
  LIGHT_8: { ...TOWER, table_id: 'LIGHT_8', dict: {} },
};
const ADD = { LIGHT_7: { ...KEEPER, dict: { name: ['nick name', 'family', 'age'] } } };

function createRelease(): string {
  const release = join(folder, 'release');
  mkdirSync(release, { recursive: true });
  writeFileSync(join(release, 'spider_rpl.json'), JSON.stringify(RPL));
  writeFileSync(join(release, 'spider_add.json'), JSON.stringify(ADD));
  return release;
}

const EXPECTED = {
  totalTables: { original: 2, rpl: 2, add: 2 },
  averageColumnsPerTable: { original: 2, rpl: null, add: null },
  perturbedColumns: { original: null, rpl: 2, add: 1 },
  averagePerturbedColumnsPerTable: { original: null, rpl: 1, add: 0.5 },
  candidates: { original: null, rpl: 3, add: 3 },
  averageCandidatesPerColumn: { original: null, rpl: 1.5, add: 3 },
  uniqueCandidates: { original: null, rpl: 2, add: 3 },
  uniqueColumns: { original: 2, rpl: 4, add: 4 },
  uniqueVocabulary: { original: 3, rpl: 5, add: 4 },
};

describe('statistics of candidates', () => {
  test('of a release: a name once per column, blank ones not at all, tables without names too', async () => {
    const { statistics, published } = await candidateStatistics({
      candidates: `adveta:${createRelease()}`,
      paths: null,
    });
    expect(statistics).toEqual(EXPECTED);
    expect(published?.averageCandidatesPerColumn).toEqual({ original: null, rpl: 3.33, add: 3.97 });
  });

  test('of a project are those of its final answers, over the tables of its items', async () => {
    const project = join(folder, 'project.db');
    for (const [kind, name] of [
      ['RPL', 'rpl'],
      ['ADD', 'add'],
    ] as const) {
      const from = join(createRelease(), `spider_${name}.json`);
      await importAnnotations({ from, format: 'adveta', kind, project, dataset: null });
    }
    const { statistics, published } = await candidateStatistics({
      candidates: project,
      paths: null,
      candidateForms: [PROJECT_CANDIDATES],
    });
    expect(published).toBeNull();
    expect(statistics).toEqual({
      ...EXPECTED,
      totalTables: { original: 1, rpl: 1, add: 1 },
      averageColumnsPerTable: { original: 3, rpl: null, add: null },
      averagePerturbedColumnsPerTable: { original: null, rpl: 2, add: 1 },
    });
  });

  test('of decisions alone do not say how many columns a table has', async () => {
    const candidate = { dbId: 'museum', table: 'Keeper', column: 'name', candidate: 'called', bucket: 'RPL' } as const;
    const file = join(folder, 'candidates.jsonl');
    writeFileSync(file, renderCandidate(toDecision(candidate, { name: 'keeper', originalName: 'Keeper' })));
    const { statistics } = await candidateStatistics({ candidates: file, paths: null });
    expect(statistics.averageColumnsPerTable).toEqual({ original: null, rpl: null, add: null });
    expect(statistics.perturbedColumns).toEqual({ original: null, rpl: 1, add: 0 });
  });

  test('are printed in columns, the paper’s next to them', async () => {
    const result = await candidateStatistics({ candidates: `adveta:${createRelease()}`, paths: null });
    const lines = renderStatisticsLines(result);
    expect(lines).toHaveLength(10);
    expect(lines[6]).toBe('candidates per column               -      1.50      3.00            -      3.33      3.97');
    expect(renderStatisticsLines({ ...result, published: null })[0]).toMatch(/^ +original +RPL +ADD$/u);
  });
});

describe('statistics of a release for several data sets', () => {
  const several = join(folder, 'several');

  test('are those of each set, a column that the two files write otherwise counted once', async () => {
    writeWikiSqlRelease(several);
    writeWtqRelease(several);
    const result = await candidateStatistics({ candidates: `adveta:${several}`, paths: null });
    const [wikisql] = result.others ?? [];
    expect([result.set, result.published?.totalTables.rpl, result.others?.length]).toEqual(['wtq', 327, 1]);
    expect([wikisql?.set, wikisql?.published?.totalTables.rpl]).toEqual(['wikisql', 2716]);
    expect(result.statistics.perturbedColumns).toEqual({ original: null, rpl: 4, add: 2 });
    expect(wikisql?.statistics).toMatchObject({
      totalTables: { original: 4, rpl: 4, add: 4 },
      perturbedColumns: { rpl: 5, add: 3 },
      candidates: { rpl: 6, add: 4 },
      // inn, owner/host, area (m 2 ), ship, built, boat, crew
      uniqueColumns: { original: 7 },
    });
    const lines = renderStatisticsLines(result);
    expect(lines[0]).toBe('WTQ: 1 of the paper’s 327 tables, so averages compare and totals don’t');
    expect(lines[12]).toBe('WikiSQL: 4 of the paper’s 2,716 tables, so averages compare and totals don’t');
    expect(lines).toHaveLength(23);
  });

  test('of one file have its set’s figures next to them', async () => {
    writeWikiSqlRelease(several);
    const candidates = `adveta:${join(several, 'wikisql-rpl-candidates.json')}`;
    const { statistics, published, others } = await candidateStatistics({ candidates, paths: null });
    expect(statistics.candidates).toEqual({ original: null, rpl: 6, add: 0 });
    expect([published?.totalTables.rpl, others]).toEqual([2716, undefined]);
  });

  test('with WikiSQL’s tables say what was found of them, by cause', async () => {
    const paths = writeWikiSql(several);
    const result = await candidateStatistics({ candidates: writeWikiSqlRelease(several), paths });
    expect(result.statistics).toMatchObject({
      totalTables: { original: 3 },
      averageColumnsPerTable: { original: 2.6667 },
      perturbedColumns: { rpl: 4, add: 2 },
    });
    expect([result.set, result.published?.totalTables.rpl]).toEqual(['wikisql', 2716]);
    expect(result.found).toEqual({
      tables: { byId: 3, byHeader: 0, absent: 1, ambiguous: 0 },
      columns: { found: 6, absent: 1 },
      candidates: { found: 8, leftOut: 2 },
    });
    expect(renderStatisticsLines(result).at(-1)).toBe(
      'people’s candidates: 3 tables found by id, 1 not in this data set, 6 columns found, 1 not in their table, 8 names taken, 2 left out',
    );
  });

  test('with SQUALL’s tables count headers, not what is derived from them', async () => {
    const paths = writeSqualls(several);
    const { statistics, published } = await candidateStatistics({ candidates: writeWtqRelease(several), paths });
    expect(published?.totalTables.rpl).toBe(327);
    expect(statistics).toMatchObject({
      totalTables: { original: 1 },
      averageColumnsPerTable: { original: 6 },
      perturbedColumns: { rpl: 4, add: 2 },
    });
  });
});

const RELEASE = '../shared/data/adveta';

describe.skipIf(!existsSync(RELEASE))('ADVETA’s own files (skipped without ../shared/data/adveta)', () => {
  test('have the tables and columns that the paper counts, and other averages of candidates', async () => {
    const { statistics, published } = await candidateStatistics({ candidates: `adveta:${RELEASE}`, paths: null });
    expect(statistics.totalTables).toEqual(published!.totalTables);
    expect(statistics.uniqueColumns).toMatchObject({ rpl: published!.uniqueColumns.rpl, add: 1060 });
    expect(statistics.perturbedColumns).toEqual({ original: null, rpl: 213, add: 295 });
    expect(statistics.averageCandidatesPerColumn).toEqual({ original: null, rpl: 4.1596, add: 4.6373 });
  });

  test('and those of half of WikiSQL are found in tables of their ids and headers, in other letters', async () => {
    const lists = JSON.parse(readFileSync(join(RELEASE, 'wikisql-even-add-candidates.json'), 'utf8')) as object;
    const listed = z.record(z.string(), z.object({ id: z.string(), header: z.array(z.string()) })).parse(lists);
    const tables = Object.values(listed).map(({ id, header }) => ({
      id,
      rows: [],
      header: header.map((name) => name.toUpperCase()),
      types: header.map(() => 'text'),
    }));
    const questions = tables.map(({ id: table_id }) => ({
      table_id,
      question: 'What?',
      sql: { sel: 0, agg: 0, conds: [] },
    }));
    const at = mkdtempSync(join(tmpdir(), 'perturbql-'));
    const paths = { tables: join(at, 'dev.tables.jsonl'), examples: join(at, 'dev.jsonl') };
    const lines = (records: readonly object[]): string => records.map((record) => JSON.stringify(record)).join('\n');
    writeFileSync(paths.tables, lines(tables));
    writeFileSync(paths.examples, lines(questions));
    const { found } = await candidateStatistics({
      candidates: `adveta:${RELEASE}`,
      paths: { ...PATH_DEFAULTS, dataset: 'wikisql', ...paths },
    });
    expect(found).toEqual({
      // Two tables have no names.
      tables: { byId: 1356, byHeader: 0, absent: 0, ambiguous: 0 },
      columns: { found: 6726, absent: 0 },
      candidates: { found: 41_219, leftOut: 0 },
    });
  });

  test('and those of half of WikiSQL have every column that is listed', async () => {
    const { others = [] } = await candidateStatistics({ candidates: `adveta:${RELEASE}`, paths: null });
    expect(others.map(({ set }) => set)).toEqual(['wikisql']);
    expect(others[0]).toMatchObject({
      statistics: {
        totalTables: { original: 1358 },
        perturbedColumns: { rpl: 4775, add: 5762 },
        candidates: { rpl: 16_819, add: 24_388 },
      },
      published: { totalTables: { original: 2716 } },
    });
  });
});

const REAL_TABLES = '../shared/data/wikisql/bert-qa/dev.tables.jsonl';
const REAL_QUESTIONS = '../shared/data/wikisql/dev_clean.jsonl';
const isThere = [RELEASE, REAL_TABLES, REAL_QUESTIONS].every((path) => existsSync(path));

describe.skipIf(!isThere)('the table of WikiSQL’s dev set in ../shared/data (skipped without it)', () => {
  test('has every column that ADVETA lists for it', async () => {
    const paths = { ...PATH_DEFAULTS, dataset: 'wikisql', tables: REAL_TABLES, examples: REAL_QUESTIONS } as const;
    const { found } = await candidateStatistics({ candidates: `adveta:${RELEASE}`, paths });
    expect(found).toEqual({
      tables: { byId: 1, byHeader: 0, absent: 1355, ambiguous: 0 },
      columns: { found: 6, absent: 0 },
      candidates: { found: 37, leftOut: 41_182 },
    });
  });
});
