import type { Column, ColumnType, Database } from '../../src/schema/schema.js';

function columns(spec: string): readonly Column[] {
  return spec.split(', ').map((text) => {
    const [originalName = '', type = 'text'] = text.split(':');
    return { name: originalName.toLowerCase().replaceAll('_', ' '), originalName, type: type as ColumnType };
  });
}

/** Stadiums with their concerts, singers who sing in concerts, and matches that one player wins and one loses. */
export const STADIUMS: Database = {
  id: 'stadiums',
  tables: [
    { name: 'stadium', originalName: 'Stadium', columns: columns('Stadium_ID:number, Name, City, Capacity:number') },
    { name: 'concert', originalName: 'concert', columns: columns('ID:number, Stadium_ID:number, Year:number, Theme') },
    { name: 'singer', originalName: 'singer', columns: columns('Singer_ID:number, Name, Country, Age:number') },
    { name: 'performance', originalName: 'performance', columns: columns('Concert_ID:number, Singer_ID:number') },
    { name: 'match', originalName: 'match', columns: columns('Match_ID:number, Winner_ID:number, Loser_ID:number') },
    { name: 'player', originalName: 'player', columns: columns('Player_ID:number, Name, Hand') },
  ],
  primaryKeys: [0, 1, 2, 4, 5].map((table) => ({ table, column: 0 })),
  foreignKeys: [
    { from: { table: 1, column: 1 }, to: { table: 0, column: 0 } },
    { from: { table: 3, column: 0 }, to: { table: 1, column: 0 } },
    { from: { table: 3, column: 1 }, to: { table: 2, column: 0 } },
    { from: { table: 4, column: 1 }, to: { table: 5, column: 0 } },
    { from: { table: 4, column: 2 }, to: { table: 5, column: 0 } },
  ],
};
