import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadAdvetaFile, loadAdvetaFolder, toDecision } from '../../src/formats/adveta-release.js';
import { candidateDecisionSchema } from '../../src/formats/artifacts/candidates.js';
import { createFile, createFolder, faultOf } from './format-fixture.js';

// Invented records in ADVETA's form; its labels are not looked at.
const SPIDER = {
  x: {
    db_id: 'town',
    table_name_original: 'Singer',
    table_id: 'x',
    dict: { 'home town': ['birthplace', 'native town'], age: [] },
  },
};
const WIKISQL = { '1-2': { table_id: '1-2', dict: { player: ['athlete'] } } };

describe('loadAdvetaFile', () => {
  test('lists one candidate per name, by database and original table', () => {
    expect(loadAdvetaFile(createFile(SPIDER), 'RPL')).toEqual([
      { dbId: 'town', table: 'Singer', column: 'home town', candidate: 'birthplace', bucket: 'RPL' },
      { dbId: 'town', table: 'Singer', column: 'home town', candidate: 'native town', bucket: 'RPL' },
    ]);
  });

  test('names a table without database by its id', () => {
    expect(loadAdvetaFile(createFile(WIKISQL), 'ADD')).toEqual([
      { dbId: '1-2', table: '1-2', column: 'player', candidate: 'athlete', bucket: 'ADD' },
    ]);
  });

  test('refuses a list, and a table without dict, naming it', () => {
    expect(faultOf(() => loadAdvetaFile(createFile([]), 'ADD')).message).toMatch(/the record is wrong/);
    const fault = faultOf(() => loadAdvetaFile(createFile({ x: { table_id: 'x' } }), 'ADD'));
    expect(fault.where.id).toBe('x');
    expect(fault.message).toMatch(/field "dict"/);
  });
});

describe('loadAdvetaFolder', () => {
  test('takes the files of one data set, by bucket', () => {
    const folder = createFolder({
      'spider-rpl-candidates.json': JSON.stringify(SPIDER),
      'spider-add-candidates.json': JSON.stringify({ x: { ...SPIDER.x, dict: { age: ['height'] } } }),
      'wikisql-add-candidates.json': JSON.stringify(WIKISQL),
      'spider-notes.txt': 'no JSON',
    });
    expect(loadAdvetaFolder(folder, 'spider').map(({ candidate, bucket }) => [candidate, bucket])).toEqual([
      ['height', 'ADD'],
      ['birthplace', 'RPL'],
      ['native town', 'RPL'],
    ]);
  });

  test('refuses a folder that has none, or is absent', () => {
    const folder = createFolder({ 'readme.json': '{}' });
    expect(faultOf(() => loadAdvetaFolder(folder, 'spider')).where.file).toBe(folder);
    expect(faultOf(() => loadAdvetaFolder(join(folder, 'nowhere'), 'spider')).message).toMatch(/can’t be read/);
  });
});

test('a human candidate is a decision like others', () => {
  const decision = toDecision(
    { dbId: 'town', table: 'Singer', column: 'age', candidate: 'height', bucket: 'ADD' },
    { name: 'singer', originalName: 'Singer' },
  );
  expect(candidateDecisionSchema.parse(decision)).toMatchObject({
    table: 'singer',
    table_original: 'Singer',
    reason: 'annotated',
    source: 'annotation',
    e1: null,
  });
});
