import { describe, expect, it, test } from 'vitest';
import { fileBesideFlags } from '../../src/cli/project-config.js';

const FILE = { dataset: 'spider', tables: 'tables.json', examples: 'dev.json', databases: 'database', seed: 7 };
const optionsBeside = (file: object, flags: object): object => fileBesideFlags({ ...file }, { ...flags }).options;

test('places of the file that another format has no use for are left out', () => {
  const { tables: _, ...rest } = FILE;
  expect(optionsBeside(FILE, { dataset: 'sqlite' })).toEqual(rest);
});

test('the file’s places stay for its own format, and where no format is given', () => {
  expect(optionsBeside(FILE, {})).toEqual(FILE);
  expect(optionsBeside(FILE, { dataset: 'spider', tables: 'other.json' })).toEqual(FILE);
  const wrong = { ...FILE, dataset: 'sqlite' };
  expect(optionsBeside(wrong, { dataset: 'sqlite' })).toEqual(wrong);
});

describe('flags that name a whole data set', () => {
  const OWN = {
    dataset: 'sqlite',
    examples: './q.json',
    databases: './bees.db',
    train: 't.json',
    gold: 'g.sql',
    seed: 7,
  };

  it('of another format take the place of all of the file’s', () => {
    const flags = { tables: 'tables.json', examples: 'dev.json' };
    expect(fileBesideFlags(OWN, flags)).toEqual({ options: { seed: 7 }, leftOut: 'the data set' });
    expect(optionsBeside(OWN, { ...flags, databases: 'database' })).toEqual({ seed: 7 });
  });

  it('of the file’s format do where their schemas lie elsewhere', () => {
    const flags = { tables: 'other/tables.json', examples: 'other/dev.json' };
    expect(fileBesideFlags(FILE, flags)).toEqual({ options: { seed: 7 }, leftOut: 'the data set' });
    expect(optionsBeside(OWN, { databases: 'shop.db', examples: 'q.csv' })).toEqual({ seed: 7 });
  });

  it('leave the file its rows and training questions where the schemas are the same', () => {
    const flags = { tables: './tables.json', examples: 'train.json' };
    expect(fileBesideFlags(FILE, flags)).toEqual({ options: FILE, leftOut: null });
  });

  it('may have gold queries in place of questions', () => {
    expect(optionsBeside(OWN, { tables: 'tables.json', gold: 'gold.sql', databases: 'database' })).toEqual({ seed: 7 });
  });

  it('are not whole without schemas or questions: what is missing comes from the file', () => {
    for (const flags of [{ tables: 'tables.json' }, { examples: './q.json' }, { databases: 'database' }])
      expect(fileBesideFlags(OWN, flags)).toEqual({ options: OWN, leftOut: null });
  });

  it('that name other questions alone leave out the gold queries and predictions of the file’s', () => {
    const { gold: _, ...rest } = OWN;
    const leftOut = 'what belongs to the questions';
    expect(fileBesideFlags({ ...OWN, predictions: 'p.sql' }, { examples: 'repaired.csv' })).toEqual({
      options: rest,
      leftOut,
    });
    expect(fileBesideFlags(FILE, { examples: 'train.json' })).toEqual({ options: FILE, leftOut: null });
  });

  it('leave nothing out of a file that names no data', () => {
    const settings = { seed: 7, train: 'train.json' };
    expect(fileBesideFlags(settings, { tables: 't.json', examples: 'd.json' })).toEqual({
      options: settings,
      leftOut: null,
    });
  });
});
