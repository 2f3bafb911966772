import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ADVETA_FORMAT } from '../../../src/annotate/exchange/adveta-format.js';
import { exportAnnotations } from '../../../src/annotate/exchange/export-annotations.js';
import { splitRevisions } from '../../../src/annotate/exchange/exchange-set.js';
import { importAnnotations } from '../../../src/annotate/exchange/import-annotations.js';
import type { NameKind, Answer } from '../../../src/annotate/annotation.js';
import { AnnotationProject } from '../../../src/annotate/project/annotation-project.js';
import type { ItemRecord } from '../../../src/annotate/project/item-store.js';
import { finalAnswerOf } from '../../../src/annotate/project/answer-schema.js';
import { exchangeSets } from './exchange-arbitrary.js';
import {
  createFile,
  createFolder,
  faultOf,
  readAll,
  sampleAnswer,
  sampleItem,
  sampleRecord,
  sampleSet,
} from './exchange-fixture.js';

/** An invented file with what real ones have: tables without names, names twice, blank ones, columns out of order. */
const TABLES = {
  LIGHT_7: {
    header: ['keeper id', 'home country', '2001'],
    db_id: 'lighthouse_museum',
    table_name_original: 'Keeper',
    column_names_original: ['Keeper_ID', 'Home_Country', '2001'],
    table_id: 'LIGHT_7',
    dict: {
      'home country': ['homeland', 'nation', 'homeland', ' '],
      'keeper id': ['number of keeper'],
      '2001': ['first year'],
    },
  },
  LIGHT_8: {
    header: ['tower id'],
    db_id: 'lighthouse_museum',
    table_name_original: 'Tower',
    column_names_original: ['Tower_ID'],
    table_id: 'LIGHT_8',
    dict: {},
  },
};
const WINDOWS = JSON.stringify(TABLES, null, 2).replaceAll('\n', '\r\n');
const COUNTRY = 'lighthouse_museum/Keeper/Home_Country/RPL';

const placeOf = ({ item }: Pick<ItemRecord, 'item'>): string =>
  JSON.stringify([item.dbId, item.tableOriginal, item.column]);

async function importText(text: string, kind: NameKind = 'RPL'): Promise<string> {
  const project = join(createFolder(), 'project.db');
  await importAnnotations({ from: createFile('names.json', text), format: 'adveta', kind, project, dataset: null });
  return project;
}

async function exportText(project: string, kind: NameKind = 'RPL'): Promise<string> {
  const out = join(createFolder(), 'out.json');
  await exportAnnotations({ project, format: 'adveta', kind, out });
  return readFileSync(out, 'utf8');
}

function decide(file: string, id: string, answer: Partial<Answer>): void {
  const project = AnnotationProject.open(file);
  try {
    project.addPerson('rex', 'reviewer');
    const { state, accepted, written, comment, flagged } = sampleAnswer(answer);
    project.adjudicate(id, 'rex', { state, accepted, written, comment, flagged }, 0);
  } finally {
    project.close();
  }
}

describe('an ADVETA file', () => {
  test.each([
    ['indented, with Windows line ends', WINDOWS],
    ['on one line', JSON.stringify(TABLES)],
  ])('%s, comes back byte for byte', async (_, text) => {
    expect(await exportText(await importText(text))).toBe(text);
  });

  test('becomes items whose whole list was chosen', async () => {
    const records = await readAll('adveta', createFile('names.json', WINDOWS));
    const country = records.find(({ item }) => item.id === COUNTRY)!;
    expect(country.item).toMatchObject({ table: 'keeper', column: 'home country', kind: 'RPL' });
    expect(country.item.candidates.map(({ name }) => name)).toEqual(['homeland', 'nation']);
    expect(country.answers).toMatchObject([{ annotator: 'adveta', state: 'done', accepted: ['homeland', 'nation'] }]);
    expect(country.context.columns.map(({ originalName }) => originalName)).toEqual([
      'Keeper_ID',
      'Home_Country',
      '2001',
    ]);
  });

  test('changes where an answer was changed, and nowhere else', async () => {
    const project = await importText(WINDOWS);
    decide(project, COUNTRY, { accepted: ['nation'], written: ['native land'] });
    const before = JSON.parse(WINDOWS) as typeof TABLES;
    const dict = { ...before.LIGHT_7.dict, 'home country': ['nation', 'native land'] };
    expect(JSON.parse(await exportText(project))).toEqual({ ...before, LIGHT_7: { ...before.LIGHT_7, dict } });
  });

  test('loses a column that a reviewer empties or skips', async () => {
    const project = await importText(WINDOWS);
    decide(project, COUNTRY, { state: 'skipped', accepted: [] });
    const tables = JSON.parse(await exportText(project)) as typeof TABLES;
    expect(Object.keys(tables.LIGHT_7.dict).sort()).toEqual(['2001', 'keeper id']);
    expect(tables.LIGHT_8).toEqual(TABLES.LIGHT_8);
  });

  test('of each kind fits into one project', async () => {
    const project = await importText(WINDOWS);
    const from = createFile('add.json', JSON.stringify(TABLES));
    const { newItems } = await importAnnotations({ from, format: 'adveta', kind: 'ADD', project, dataset: null });
    expect(newItems).toBe(3);
    expect(await exportText(project, 'RPL')).toBe(WINDOWS);
    expect(await exportText(project, 'ADD')).toBe(JSON.stringify(TABLES));
  });

  test('is written of any project: final names of each column', () => {
    const out = join(createFolder(), 'out.json');
    fc.assert(
      fc.property(exchangeSets('RPL'), (all) => {
        // The layout knows a column by its natural name alone, and zod leaves `__proto__` out.
        const isFirst = ({ item }: ItemRecord, i: number): boolean =>
          item.column !== '__proto__' && all.records.findIndex((other) => placeOf(other) === placeOf({ item })) === i;
        const records = all.records.filter(isFirst).map((record) => ({ ...record, context: sampleRecord().context }));
        const set = { ...all, records };
        ADVETA_FORMAT.write(set, out);
        const read = new Map([...ADVETA_FORMAT.read(out, 'RPL').records].map((record) => [record.item.id, record]));
        for (const { item, answers, adjudications } of set.records) {
          const final = finalAnswerOf(item, splitRevisions(answers).standing, adjudications.at(-1) ?? null);
          const names = final === null ? [] : [...new Set([...final.accepted, ...final.written])];
          expect(read.get(item.id)?.answers[0]?.accepted ?? []).toEqual(names);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('has new tables for items that it was not imported with', async () => {
    const item = sampleItem();
    const columns = [{ name: item.column, originalName: item.columnOriginal, type: item.type }];
    const context = { entity: null, columns, rows: [], questions: [] };
    const out = join(createFolder(), 'out.json');
    ADVETA_FORMAT.write(sampleSet(sampleRecord({ context, answers: [sampleAnswer({ written: ['=land'] })] })), out);
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual({
      'lighthouse_museum.Keeper': {
        header: ['home country'],
        db_id: 'lighthouse_museum',
        table_name_original: 'Keeper',
        column_names_original: ['Home_Country'],
        table_id: 'lighthouse_museum.Keeper',
        dict: { 'home country': ['homeland', '=land'] },
      },
    });
  });

  test.each([
    ['{"a": ', /names\.json:1: this is not JSON/u],
    ['[]', /names\.json, the file/u],
    ['{"T": {"table_id": "T", "header": ["x"], "dict": {"x": "y"}}}', /names\.json, T: field "dict\.x" is wrong/u],
    ['{"T": {"table_id": "T", "header": ["x"], "dict": {"y": []}}}', /T: "dict" has a column "y" that "header" lacks/u],
  ])('that is not one is refused: %s', async (text, message) => {
    const fault = await faultOf(() => readAll('adveta', createFile('names.json', text)));
    expect(fault.render()).toMatch(message);
  });
});

const RELEASE = '../shared/data/adveta';

describe.skipIf(!existsSync(RELEASE))('ADVETA’s own files (skipped without ../shared/data/adveta)', () => {
  test.each([
    ['spider-rpl-candidates.json', 'RPL'],
    ['spider-add-candidates.json', 'ADD'],
    ['wikisql-even-rpl-candidates.json', 'RPL'],
    ['wikisql-even-add-candidates.json', 'ADD'],
  ] as const)('%s comes back byte for byte', async (name, kind) => {
    const text = readFileSync(join(RELEASE, name), 'utf8');
    const project = await importText(text, kind);
    expect((await exportText(project, kind)) === text).toBe(true);
  });
});
