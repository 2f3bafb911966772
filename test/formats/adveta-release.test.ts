import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  advetaFilesOf,
  advetaSetOf,
  listAdvetaFiles,
  loadAdvetaFile,
  loadAdvetaTables,
} from '../../src/formats/adveta-release.js';
import { createFile, createFolder, faultOf } from './format-fixture.js';

const FOLDER = {
  'spider-rpl-candidates.json': '{}',
  'wikisql-even-add-candidates.json': '{}',
  'wikisql-odd-add-candidates.json': '{}',
  'ADVETA_WTQ_RPL.json': '{}',
  'squall-add.json': '{}',
  'wikisql-notes.txt': '',
  'rpl.md': '',
};

describe('the files of a release', () => {
  test('are told by set and bucket', () => {
    const files = listAdvetaFiles(createFolder(FOLDER));
    expect(files.map(({ file, bucket, set }) => [file.split('/').at(-1), bucket, set])).toEqual([
      ['ADVETA_WTQ_RPL.json', 'RPL', 'wtq'],
      ['spider-rpl-candidates.json', 'RPL', 'spider'],
      ['squall-add.json', 'ADD', 'wtq'],
      ['wikisql-even-add-candidates.json', 'ADD', 'wikisql'],
      ['wikisql-odd-add-candidates.json', 'ADD', 'wikisql'],
    ]);
  });

  test('of one set are those of the data set’s format', () => {
    const folder = createFolder(FOLDER);
    expect(advetaFilesOf(folder, advetaSetOf('wikisql'))).toHaveLength(2);
    expect(advetaFilesOf(folder, advetaSetOf('squall'))).toHaveLength(2);
    expect(advetaFilesOf(folder, advetaSetOf('cosql'))).toHaveLength(1);
  });

  test('may be one, whatever set its name says, but it must say RPL or ADD', () => {
    const file = createFile('{}', 'wikisql-rpl.json');
    expect(advetaFilesOf(file, 'wtq')).toEqual([{ file, bucket: 'RPL', set: 'wikisql' }]);
    const fault = faultOf(() => listAdvetaFiles(createFile('{}', 'names.json')));
    expect(fault.message).toBe('the name of the file says neither rpl nor add');
  });

  test('are missed with the sets that are there', () => {
    const fault = faultOf(() => advetaFilesOf(createFolder({ 'wikisql-rpl.json': '{}' }), 'spider'));
    expect(fault.message).toBe('the folder has no spider…rpl….json or spider…add….json');
    expect(fault.fix).toMatch(/^It has those of wikisql: give --dataset wikisql with its tables, or/);
  });
});

describe('a table without database', () => {
  const table = { header: ['inn', 'host'], id: '1-77-1', table_id: 'WSQL_0', dict: { inn: ['tavern'] }, page: 'p. 5' };

  test('is called by its data set’s own id, with its other names and its header', () => {
    const [candidate] = loadAdvetaFile(createFile({ WSQL_0: table }), 'RPL');
    expect(candidate).toEqual({
      dbId: '1-77-1',
      table: '1-77-1',
      column: 'inn',
      candidate: 'tavern',
      bucket: 'RPL',
      otherIds: ['WSQL_0', 'p. 5'],
      header: ['inn', 'host'],
    });
  });

  test('is one in both files', () => {
    const other = { ...table, header: ['inn', 'host '] };
    const files = { 'wikisql_add.json': { WSQL_0: other }, 'wikisql_rpl.json': { WSQL_0: table } };
    const folder = createFolder(
      Object.fromEntries(Object.entries(files).map(([name, json]) => [name, JSON.stringify(json)])),
    );
    const columns = ['inn', 'host'];
    expect(loadAdvetaTables(join(folder), 'wikisql')).toEqual([{ dbId: '1-77-1', table: '1-77-1', columns }]);
  });
});
