// One fresh process that renames columns: standard input has the golds, standard output their texts and the CPU of each pass.
import { readFileSync } from 'node:fs';
import { renameColumns } from '../../src/sql/rename-columns.js';
import { ownSeconds } from '../metrics/cpu-time.js';
import { ParserRival } from './parser-rival.js';
import { loadRenames, type NAMINGS, type RenameTask } from './rename-tasks.js';

interface Order {
  readonly mode: 'perturbql' | 'node-sql-parser';
  /** Each with the id of its schema; parsed by nobody yet, so that the first pass is one. */
  readonly golds: readonly (readonly [sql: string, id: string])[];
  readonly tables: string;
  readonly naming: keyof typeof NAMINGS;
  readonly passes: number;
}

const { mode, golds, tables, naming, passes } = JSON.parse(readFileSync(0, 'utf8')) as Order;
const schemas = loadRenames(tables, naming);
const tasks = golds.flatMap(([sql, id]): readonly RenameTask[] => {
  const schema = schemas.get(id);
  return schema === undefined ? [] : [{ sql, ...schema }];
});
const rivals = new Map<RenameTask['database'], ParserRival>();

function rename({ sql, database, renames }: RenameTask): string {
  if (mode === 'perturbql') return renameColumns(sql, database, renames).sql;
  const rival = rivals.get(database) ?? new ParserRival(database, renames);
  rivals.set(database, rival);
  return rival.rename(sql);
}

function attempt(task: RenameTask): string | null {
  try {
    return rename(task);
  } catch {
    return null;
  }
}

const seconds: number[] = [];
let texts: readonly (string | null)[] = [];
for (let pass = 0; pass < passes; pass++) {
  const start = ownSeconds();
  texts = tasks.map(attempt);
  seconds.push(ownSeconds() - start);
}
process.stdout.write(JSON.stringify({ seconds, texts }));
