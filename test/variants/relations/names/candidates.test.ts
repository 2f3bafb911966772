import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError, InputFormatError } from '../../../../src/errors.js';
import { loadCandidatesFrom } from '../../../../src/variants/candidates/candidate-forms.js';
import { CandidatePool } from '../../../../src/variants/relations/names/candidate-pool.js';
import { linkedColumnGroups } from '../../../../src/variants/relations/names/new-column-names.js';
import { makeTempFolder } from '../../../e2e/run-cli.js';
import { BIRTH_YEAR, decision, GARDEN, GARDENER_ID, HOME_COUNTRY, PLOT_GARDENER } from './garden-schema.js';

const temp = makeTempFolder();
const at = (...parts: string[]): string => join(temp.path, ...parts);
const databases = new Map([[GARDEN.id, GARDEN]]);

afterAll(() => temp.remove());

describe('CandidatePool', () => {
  it('gives the accepted candidates of a column, by bucket, in their order', () => {
    const pool = new CandidatePool([
      decision(HOME_COUNTRY, 'native land'),
      decision(HOME_COUNTRY, 'shoe size', { bucket: 'ADD' }),
      decision(HOME_COUNTRY, 'nonsense', { bucket: 'rejected', reason: 'misspelled' }),
      decision(BIRTH_YEAR, 'year of birth'),
      decision(HOME_COUNTRY, 'origin'),
    ]);
    const names = (kind: 'RPL' | 'ADD'): string[] => pool.of(GARDEN, HOME_COUNTRY, kind).map((d) => d.candidate);
    expect(names('RPL')).toEqual(['native land', 'origin']);
    expect(names('ADD')).toEqual(['shoe size']);
    expect(pool.of(GARDEN, GARDENER_ID, 'RPL')).toEqual([]);
    expect(pool.size).toBe(4);
  });

  it('keeps apart what other databases and tables call the same', () => {
    const pool = new CandidatePool([
      decision(GARDENER_ID, 'grower id'),
      decision(HOME_COUNTRY, 'land', { db_id: 'x' }),
    ]);
    expect(pool.of(GARDEN, PLOT_GARDENER, 'RPL')).toEqual([]);
    expect(pool.of(GARDEN, HOME_COUNTRY, 'RPL')).toEqual([]);
  });

  it('finds a column in another spelling of its name', () => {
    const pool = new CandidatePool([decision(HOME_COUNTRY, 'origin', { column: 'Home_Country', table: 'GARDENER' })]);
    expect(pool.of(GARDEN, HOME_COUNTRY, 'RPL')).toHaveLength(1);
  });

  it('keeps a table and its plural apart', () => {
    const pool = new CandidatePool([decision(HOME_COUNTRY, 'origin', { table: 'gardeners' })]);
    expect(pool.of(GARDEN, HOME_COUNTRY, 'RPL')).toEqual([]);
  });
});

describe('candidates of another data set', () => {
  it('are refused when none fits, and left out when some do not', () => {
    const foreign = { ...decision(HOME_COUNTRY, 'origin'), db_id: 'elsewhere' };
    const none = at('none.jsonl');
    writeFileSync(none, JSON.stringify(foreign));
    expect(() => loadCandidatesFrom(none, databases)).toThrow(InputFormatError);
    const some = at('some.jsonl');
    const own = decision(HOME_COUNTRY, 'native land');
    writeFileSync(some, [foreign, own].map((line) => JSON.stringify(line)).join('\n'));
    expect(loadCandidatesFrom(some, databases)).toEqual([own]);
  });
});

describe('linkedColumnGroups', () => {
  it('joins key columns of one name', () => {
    const groups = linkedColumnGroups(GARDEN);
    expect(groups.size).toBe(2);
    expect(groups.get('0.0')).toBe(groups.get('1.1'));
  });

  it('never joins two columns of one table: they could not share a name', () => {
    const [gardener, plot] = GARDEN.tables;
    const twice = { ...plot!.columns[1]!, originalName: 'second_gardener_id' };
    const tables = [gardener!, { ...plot!, columns: [...plot!.columns, twice] }];
    const foreignKeys = [...GARDEN.foreignKeys, { from: { table: 1, column: 3 }, to: GARDENER_ID }];
    const groups = linkedColumnGroups({ ...GARDEN, tables, foreignKeys });
    for (const group of groups.values()) expect(new Set(group.map((ref) => ref.table)).size).toBe(group.length);
  });

  it('leaves linked columns of two names apart', () => {
    const foreignKeys = [{ from: { table: 1, column: 0 }, to: GARDENER_ID }];
    expect(linkedColumnGroups({ ...GARDEN, foreignKeys }).size).toBe(0);
  });

  it('joins what is linked through a third table, and a key that points at its own table', () => {
    const table = (name: string): (typeof GARDEN.tables)[number] => ({
      ...GARDEN.tables[0]!,
      name,
      originalName: name,
    });
    const at = (position: number): typeof GARDENER_ID => ({ table: position, column: 0 });
    const database = {
      ...GARDEN,
      tables: ['a', 'b', 'c', 'd'].map(table),
      foreignKeys: [
        { from: at(0), to: at(1) },
        { from: at(2), to: at(3) },
        { from: at(1), to: at(2) },
      ],
    };
    expect(new Set(linkedColumnGroups(database).values()).size).toBe(1);
    expect(linkedColumnGroups(database).get('3.0')).toHaveLength(4);
  });
});

describe('loadCandidatesFrom', () => {
  const lines = [decision(HOME_COUNTRY, 'native land'), decision(BIRTH_YEAR, 'year of birth')];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');

  it('reads a run folder or a file', () => {
    mkdirSync(at('run'));
    writeFileSync(at('run/candidates.jsonl'), text);
    expect(loadCandidatesFrom(at('run'), databases)).toEqual(lines);
    expect(loadCandidatesFrom(at('run/candidates.jsonl'), databases)).toEqual(lines);
  });

  it('reads human candidates of the databases that are there, under their natural table names', () => {
    const record = { table_id: 't', db_id: 'garden', table_name_original: 'PLOT', dict: { 'soil type': ['ground'] } };
    const elsewhere = { ...record, db_id: 'elsewhere' };
    const nowhere = { ...record, table_name_original: 'shed' };
    mkdirSync(at('release'));
    writeFileSync(at('release/spider_dev_rpl.json'), JSON.stringify({ a: record, b: elsewhere, c: nowhere }));
    writeFileSync(at('release/wikisql_add.json'), 'not looked at');
    expect(loadCandidatesFrom(`adveta:${at('release')}`, databases)).toMatchObject([
      { db_id: 'garden', table: 'plot', column: 'soil type', candidate: 'ground', bucket: 'RPL', source: 'annotation' },
    ]);
  });

  it.each([
    ['missing', ConfigError, /does not exist/],
    ['empty', InputFormatError, /can’t be read/],
  ])('refuses a %s origin', (name, error, message) => {
    if (name === 'empty') mkdirSync(at(name));
    const load = (): unknown => loadCandidatesFrom(at(name), databases);
    expect(load).toThrow(error);
    expect(load).toThrow(message);
  });

  it('refuses a release without files, or with a record that is none', () => {
    mkdirSync(at('bad-release'));
    expect(() => loadCandidatesFrom(`adveta:${at('bad-release')}`, databases)).toThrow(/no spider…rpl/);
    writeFileSync(at('bad-release/spider_add.json'), JSON.stringify({ a: { dict: {} } }));
    expect(() => loadCandidatesFrom(`adveta:${at('bad-release')}`, databases)).toThrow(InputFormatError);
  });
});
