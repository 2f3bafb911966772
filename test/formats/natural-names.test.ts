import { describe, expect, it } from 'vitest';
import { InputFormatError } from '../../src/errors.js';
import { loadDataset, loadSchemas } from '../../src/formats/load-dataset.js';
import type { Dataset } from '../../src/formats/dataset.js';
import { createFile } from './format-fixture.js';
import { createSqlite, pathsOf } from './output-set-fixture.js';

const CLINIC = `
  CREATE TABLE doctors (doc_id INTEGER PRIMARY KEY, doc_nm TEXT, dept_cd TEXT, hire_dt TEXT, "Room Number" TEXT, zqxv TEXT);
  CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, doc_id INTEGER REFERENCES doctors, dur_min INTEGER);
  INSERT INTO doctors VALUES (1, 'Ann', 'ENT', '2020-01-02', '7', 'k'), (2, 'Bob', 'ICU', '2021-05-02', '8', 'j');`;

const namesOf = ({ databases }: Dataset): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...databases.values()].flatMap(({ tables }) =>
      tables.flatMap((table) =>
        table.columns.map(({ originalName, name }) => [`${table.originalName}.${originalName}`, name]),
      ),
    ),
  );

describe('a database that has identifiers alone', () => {
  const databases = (): string => createSqlite(CLINIC, 'clinic.sqlite');
  const examples = (): string =>
    createFile('[{"question": "Who is the doctor?", "query": "SELECT doc_nm FROM doctors"}]', 'q.json');

  it('gets the words that people read in them', async () => {
    expect(
      namesOf(await loadDataset(pathsOf('sqlite', { databases: databases(), examples: examples() }))),
    ).toMatchObject({
      'doctors.doc_nm': 'doctor name',
      'doctors.dept_cd': 'department code',
      'doctors.hire_dt': 'hire date',
      'doctors.Room Number': 'room number',
      'visits.dur_min': 'duration minutes',
    });
  });

  it('keeps what nobody can read, and says so', async () => {
    const { databases: schemas } = await loadSchemas(pathsOf('sqlite', { databases: databases() }));
    const column = schemas.get('clinic')!.tables[0]!.columns.find(({ originalName }) => originalName === 'zqxv');
    expect(column).toMatchObject({ name: 'zqxv', reading: { evidence: 'zqxv: letters', unread: ['zqxv'] } });
  });

  it('takes what people say instead', async () => {
    const line = { db_id: 'clinic', table: 'doctors', column: 'zqxv', reading: 'Shift_Code' };
    const readings = createFile(`${JSON.stringify(line)}\n`, 'readings.jsonl');
    const dataset = await loadDataset({
      ...pathsOf('sqlite', { databases: databases(), examples: examples() }),
      readings,
    });
    expect(namesOf(dataset)['doctors.zqxv']).toBe('shift code');
    expect(dataset.fingerprints['readings']).toMatch(/^[0-9a-f]{64}$/);
  });

  it('leaves what a line of its own only repeats, and counts as unread what a line could not read elsewhere', async () => {
    const paths = { ...pathsOf('sqlite', { databases: databases() }) };
    const lineFor = (column: string, reading: string, evidence: string): string =>
      JSON.stringify({ db_id: 'clinic', table: 'doctors', column, reading, confidence: 0.3, evidence });
    const lines = [
      lineFor('zqxv', 'zqxv', 'zqxv: letters'),
      lineFor('dept_cd', 'dept code', 'dept: letters; cd: list'),
      lineFor('doc_nm', 'physician name', 'doc: letters; nm: list'),
    ];
    const before = (await loadSchemas(paths)).databases.get('clinic')!.tables[0]!.columns;
    const { databases: after } = await loadSchemas({ ...paths, readings: createFile(lines.join('\n'), 'r.jsonl') });
    const columns = new Map(after.get('clinic')!.tables[0]!.columns.map((column) => [column.originalName, column]));
    expect(columns.get('zqxv')).toEqual(before.find(({ originalName }) => originalName === 'zqxv'));
    expect(columns.get('dept_cd')).toMatchObject({ name: 'dept code', reading: { confidence: 0.3, unread: ['dept'] } });
    expect(columns.get('doc_nm')).toMatchObject({ name: 'physician name', reading: { evidence: 'given', unread: [] } });
  });

  it.each([
    [{ db_id: 'clinic', table: 'doctor', column: null, reading: 'x y' }, 'database clinic has no table doctor'],
    [{ db_id: 'clinic', table: 'doctors', column: 'dr', reading: 'x y' }, 'table doctors of clinic has no column dr'],
    [{ db_id: 'clinic', table: 'doctors', column: 'doc_nm', reading: '—' }, 'a reading has words'],
    [{ db_id: 'clinic', table: 'doctors', column: 'doc_nm' }, 'reading'],
  ])('refuses a line that is none: %j', async (line, message) => {
    const readings = createFile(`\n${JSON.stringify(line)}\n`, 'readings.jsonl');
    const loading = loadSchemas({ ...pathsOf('sqlite', { databases: databases() }), readings });
    await expect(loading).rejects.toThrow(InputFormatError);
    await expect(loading).rejects.toMatchObject({
      message: expect.stringContaining(message) as string,
      where: { file: readings, line: 2 },
    });
  });

  it('notes readings of databases that are not there', async () => {
    const readings = createFile('{"db_id":"other","table":"t","column":null,"reading":"x"}\n', 'readings.jsonl');
    const { notes = [] } = await loadSchemas({ ...pathsOf('sqlite', { databases: databases() }), readings });
    expect(notes.join()).toContain('readings of 1 database that the data set lacks, other the first');
  });
});

function tablesFile(columns: readonly (readonly [string, string])[]): string {
  const record = {
    db_id: 'd',
    table_names_original: ['person'],
    table_names: ['person'],
    column_names_original: [[-1, '*'], ...columns.map(([identifier]) => [0, identifier])],
    column_names: [[-1, '*'], ...columns.map(([, name]) => [0, name])],
    column_types: ['text', ...columns.map(() => 'text')],
    primary_keys: [],
    foreign_keys: [],
  };
  return createFile(JSON.stringify([record]), 'tables.json');
}

describe('a schema with names of its own', () => {
  it.each([
    ['Song_release_year', 'song release year', 'song release year'],
    ['OnCallStart', 'oncall start', 'oncall start'],
    ['CRE', 'creatinine', 'creatinine'],
    ['WiFi', 'wifi', 'wifi'],
    ['HomeTown', 'hometown', 'hometown'],
    ['MPG', 'mpg', 'mpg'],
  ])('keeps what people wrote for %s: "%s"', async (identifier, name, expected) => {
    const tables = tablesFile([
      ['A2', 'district'],
      [identifier, name],
    ]);
    expect(namesOf(await loadSchemas(pathsOf('spider', { tables })))[`person.${identifier}`]).toBe(expected);
  });

  it.each([
    ['unitdischargetime', 'unitdischargetime', 'unit discharge time'],
    ['StatusType', 'statustype', 'status type'],
    ['birth_date', 'birth_date', 'birth date'],
    ['GEO_CD_LVL_2', 'geo_cd_lvl_2', 'geographic code level 2'],
    ['address2', 'address2', 'address 2'],
    ['A12', 'a12', 'a12'],
    ['!', '!', '!'],
  ])('gets words where it only repeats an identifier: %s', async (identifier, name, expected) => {
    const tables = tablesFile([
      ['A2', 'district'],
      [identifier, name],
    ]);
    expect(namesOf(await loadSchemas(pathsOf('spider', { tables })))[`person.${identifier}`]).toBe(expected);
  });

  it('is read whole where every name is an identifier', async () => {
    const tables = tablesFile([
      ['cust_addr', 'cust addr'],
      ['MPG', 'mpg'],
    ]);
    expect(namesOf(await loadSchemas(pathsOf('spider', { tables })))).toMatchObject({
      'person.cust_addr': 'customer address',
    });
  });
});
