// One fresh process that renames columns: standard input has the golds, standard output their texts and the CPU of each pass.
import { readFileSync } from 'node:fs';
import { renameColumns } from '../../src/sql/rename-columns.js';
import { ownSeconds } from '../metrics/cpu-time.js';
import { ParserRival } from './parser-rival.js';
import { loadRenameTasks, type NAMINGS, type RenameTask } from './rename-tasks.js';

interface Order {
  readonly mode: 'perturbql' | 'node-sql-parser';
  readonly gold: string;
  readonly tables: string;
  readonly naming: keyof typeof NAMINGS;
  readonly passes: number;
}

const { mode, gold, tables, naming, passes } = JSON.parse(readFileSync(0, 'utf8')) as Order;
const tasks = loadRenameTasks(gold, tables, naming);
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
