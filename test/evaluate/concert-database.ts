import type { Column, Database } from '../../src/schema/schema.js';

function column(originalName: string, type: Column['type'] = 'text'): Column {
  return { name: originalName.toLowerCase().replaceAll('_', ' '), originalName, type };
}

const table = (originalName: string, columns: readonly Column[]): Database['tables'][number] => ({
  name: originalName,
  originalName,
  columns,
});

/** Three tables as in Spider's concert_singer; a concert has two keys to a stadium. */
export const CONCERTS: Database = {
  id: 'concerts',
  tables: [
    table('Stadium', [column('Id', 'number'), column('Name'), column('Capacity', 'number')]),
    table('Concert', [
      column('Concert_Id', 'number'),
      column('Stadium_Id', 'number'),
      column('Spare_Id', 'number'),
      column('Year', 'number'),
      column('Name'),
    ]),
    table('Singer', [column('Singer_Id', 'number'), column('Name'), column('Age', 'number'), column('Country')]),
  ],
  primaryKeys: [
    { table: 0, column: 0 },
    { table: 1, column: 0 },
    { table: 2, column: 0 },
  ],
  foreignKeys: [
    { from: { table: 1, column: 1 }, to: { table: 0, column: 0 } },
    { from: { table: 1, column: 2 }, to: { table: 0, column: 0 } },
  ],
};
