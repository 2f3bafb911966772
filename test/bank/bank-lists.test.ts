import { describe, expect, it } from 'vitest';
import { parseColumnLists, renderColumnLists } from '../../src/bank/bank-lists.js';

const LISTS = `# our own
@ student | pupil
name | full name
# field: hydrology
@ gauge
stage | water level | river level ~ flow, datum
is active | in service
`;

describe('parseColumnLists', () => {
  it('reads tables of fields, with what replaces a column and what stands next to it', () => {
    const [student, gauge] = parseColumnLists(LISTS);
    expect(student).toEqual({
      field: '',
      entities: ['student', 'pupil'],
      columns: [{ name: 'name', replacements: ['full name'], additions: [] }],
    });
    expect(gauge).toMatchObject({ field: 'hydrology', entities: ['gauge'] });
    expect(gauge!.columns[0]).toEqual({
      name: 'stage',
      replacements: ['water level', 'river level'],
      additions: ['flow', 'datum'],
    });
  });

  it('is what renderColumnLists writes', () => {
    const tables = parseColumnLists(LISTS);
    expect(parseColumnLists(renderColumnLists(tables))).toEqual(tables);
  });

  it('leaves out tables without columns, and columns before a table', () => {
    expect(parseColumnLists('name | title\n@ empty\n@ gauge\nstage | level\n')).toHaveLength(1);
  });
});
