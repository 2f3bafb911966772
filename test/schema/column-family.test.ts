import { describe, expect, it } from 'vitest';
import { isPerturbable, perturbableAmong, renameFamilies } from '../../src/schema/column-family.js';
import type { Column, Database } from '../../src/schema/schema.js';

const column = (originalName: string, more: Partial<Column> = {}): Column => ({
  name: originalName.replaceAll('_', ' '),
  originalName,
  type: 'text',
  ...more,
});

const DATABASE: Database = {
  id: 'x',
  tables: [
    {
      name: 'w',
      originalName: 'w',
      columns: [
        column('id', { fixed: true }),
        column('year', { family: { key: 'c1', suffix: '' } }),
        column('year_number', { family: { key: 'c1', suffix: '_number' } }),
        column('title', { family: { key: 'c2', suffix: '' } }),
        column('alone'),
      ],
    },
    { name: 't', originalName: 't', columns: [column('year_list', { family: { key: 'c1', suffix: '_list' } })] },
  ],
  primaryKeys: [],
  foreignKeys: [],
};

describe('isPerturbable', () => {
  it('leaves out machinery and derived columns', () => {
    expect(DATABASE.tables[0]!.columns.map(isPerturbable)).toEqual([false, true, false, true, true]);
    expect(DATABASE.tables[1]!.columns.map(isPerturbable)).toEqual([false]);
  });
});

describe('perturbableAmong', () => {
  it('takes the first of a family for a derived column, once, and no machinery', () => {
    const refs = [
      { table: 0, column: 0 },
      { table: 1, column: 0 },
      { table: 0, column: 4 },
      { table: 0, column: 2 },
    ];
    expect(perturbableAmong(DATABASE, refs)).toEqual([
      { table: 0, column: 1 },
      { table: 0, column: 4 },
    ]);
  });
});

describe('renameFamilies', () => {
  it('takes derived columns along, in all tables', () => {
    const season = { name: 'sports season', originalName: 'Season' };
    const alone = { name: 'lonely', originalName: 'lonely' };
    const renames = new Map([
      ['0.1', season],
      ['0.4', alone],
    ]);
    expect([...renameFamilies(DATABASE, renames)]).toEqual([
      ['0.1', season],
      ['0.4', alone],
      ['0.2', { name: 'sports season number', originalName: 'Season_number' }],
      ['1.0', { name: 'sports season list', originalName: 'Season_list' }],
    ]);
  });

  it('changes nothing where there are no families', () => {
    const renames = new Map([['0.4', { name: 'lonely', originalName: 'lonely' }]]);
    expect(renameFamilies(DATABASE, renames)).toEqual(renames);
  });
});
