// A column is renamed in a query; every other byte stays.
import { renameColumns } from 'perturbql/sql';

const column = (name) => ({ name: name.replace('_', ' '), originalName: name, type: 'text' });
const singers = {
  id: 'concerts',
  tables: [{ name: 'singer', originalName: 'singer', columns: [column('song_name'), column('age')] }],
  primaryKeys: [],
  foreignKeys: [],
};
const sql = 'SELECT T1.song_name FROM singer AS T1  WHERE T1.age > 30';
// Keys are `table.column` positions; values are the new identifiers.
const { sql: rewritten } = renameColumns(sql, singers, new Map([['0.0', 'track title']]));
console.log(rewritten);
