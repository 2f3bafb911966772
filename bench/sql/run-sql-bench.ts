import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import SqliteDatabase from 'better-sqlite3';
import { InputFormatError } from '../../src/errors.js';
import { loadSpiderTables } from '../../src/formats/spider-tables.js';
import { columnKey, type Database } from '../../src/schema/schema.js';
import { renameColumns } from '../../src/sql/rename-columns.js';
import { singleQuoteLiterals } from '../../src/sql/single-quotes.js';
import { ownSeconds } from '../metrics/cpu-time.js';
import type { BenchOutput } from '../run-bench.js';
import type { FigureTable } from '../bench-figures.js';
import { ParserRival } from './parser-rival.js';

/** A gold query with single-quoted strings, so that both sides can read it, and the names its database's columns get. */
interface Task {
  readonly sql: string;
  readonly database: Database;
  readonly renames: ReadonlyMap<string, string>;
}

interface Figures {
  readonly rewritesPerSecond: number;
  readonly printed: number;
  readonly executed: number;
  readonly right: number;
}

type Rename = (task: Task) => string;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Every column of a schema with a fresh plain name. */
function freshNames({ tables }: Database): ReadonlyMap<string, string> {
  const refs = tables.flatMap(({ columns, originalName }, table) =>
    originalName.startsWith('sqlite_') ? [] : columns.map((_, column) => ({ table, column })),
  );
  return new Map(refs.map((ref, i) => [columnKey(ref), `fresh_${i}`]));
}

function loadTasks(data: string): Task[] {
  const file = join(data, 'dev_gold.sql');
  if (!existsSync(file)) {
    throw new InputFormatError("Spider's dev_gold.sql is not there", {
      fix: 'Give its folder with --data.',
      where: { file },
    });
  }
  const databases = loadSpiderTables(join(data, 'tables.json'));
  const renames = new Map([...databases].map(([id, database]) => [id, freshNames(database)]));
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line) => {
    const [sql = '', id = ''] = line.split('\t');
    const database = databases.get(id);
    if (database === undefined) return [];
    return [
      { sql: singleQuoteLiterals(sql, database).sql, database, renames: renames.get(id) ?? new Map<string, string>() },
    ];
  });
}

/** The databases of the tasks before and after the renames, in memory. */
class Databases {
  readonly #data: string;
  readonly #open = new Map<string, readonly [SqliteDatabase.Database, SqliteDatabase.Database]>();

  constructor(data: string) {
    this.#data = data;
  }

  of({ database, renames }: Task): readonly [SqliteDatabase.Database, SqliteDatabase.Database] {
    let pair = this.#open.get(database.id);
    if (pair === undefined) {
      const bytes = readFileSync(join(this.#data, 'database', database.id, `${database.id}.sqlite`));
      const after = new SqliteDatabase(bytes);
      for (const [key, name] of renames) {
        const [t = 0, c = 0] = key.split('.').map(Number);
        const table = database.tables[t];
        const [from, to] = [quoted(table?.columns[c]?.originalName ?? ''), quoted(name)];
        after.exec(`ALTER TABLE ${quoted(table?.originalName ?? '')} RENAME COLUMN ${from} TO ${to}`);
      }
      pair = [new SqliteDatabase(bytes), after];
      this.#open.set(database.id, pair);
    }
    return pair;
  }
}

/** Rows as text: as they come where the query orders them, else as a bag; null where the query does not run. */
function rowsOf(sqlite: SqliteDatabase.Database, sql: string, ordered: boolean): string | null {
  try {
    const rows = sqlite
      .prepare(sql)
      .raw()
      .all()
      .map((row) => JSON.stringify(row));
    return (ordered ? rows : rows.sort()).join('\n');
  } catch (error) {
    if (error instanceof SqliteDatabase.SqliteError) return null;
    throw error;
  }
}

function attempt(rename: Rename, task: Task): string | null {
  try {
    return rename(task);
  } catch {
    return null;
  }
}

function measure(tasks: readonly Task[], rename: Rename, rounds: number, databases: Databases): Figures {
  const texts = tasks.map((task) => attempt(rename, task));
  const start = ownSeconds();
  for (let round = 0; round < rounds; round++) for (const task of tasks) attempt(rename, task);
  const seconds = ownSeconds() - start;
  const [executed, right] = [new Set<number>(), new Set<number>()];
  texts.forEach((text, i) => {
    const task = tasks[i];
    if (text === null || task === undefined) return;
    const [before, after] = databases.of(task);
    const ordered = /order by/i.test(task.sql);
    const rows = rowsOf(after, text, ordered);
    if (rows !== null) executed.add(i);
    if (rows !== null && rows === rowsOf(before, task.sql, ordered)) right.add(i);
  });
  return {
    rewritesPerSecond: (tasks.length * rounds) / seconds,
    printed: texts.filter((text) => text !== null).length,
    executed: executed.size,
    right: right.size,
  };
}

function row(name: string, figures: Figures, count: number): string {
  const share = (n: number): string => `${n} (${((100 * n) / count).toFixed(1)} %)`.padStart(16);
  const { rewritesPerSecond, printed, executed, right } = figures;
  return `${name.padEnd(18)}${Math.round(rewritesPerSecond).toString().padStart(11)}${share(printed)}${share(executed)}${share(right)}`;
}

function figureTable(measured: Readonly<Record<string, Figures>>, count: number): FigureTable {
  const percent = (n: number): number => (100 * n) / count;
  const rows = Object.entries(measured).map(([name, { rewritesPerSecond, printed, executed, right }]) => {
    const shares = { printed: percent(printed), executed: percent(executed), right: percent(right) };
    return [name, { rewriter: name, speed: rewritesPerSecond, ...shares }] as const;
  });
  return {
    id: 'sql',
    title: 'Rewriting queries for renamed columns',
    about:
      `Spider's ${count.toLocaleString('en-US')} dev queries with every column renamed, in one process, by perturbql and by node-sql-parser 5 ` +
      '(parse, change, print). Right: it runs on the renamed database and returns the original rows.',
    columns: {
      rewriter: { head: 'rewriter' },
      speed: { head: 'rewrites per CPU s', decimals: 0 },
      printed: { head: 'printed, %', decimals: 1 },
      executed: { head: 'executed, %', decimals: 1 },
      right: { head: 'right, %', decimals: 1 },
    },
    rows: Object.fromEntries(rows),
  };
}

/**
 * Renames every column in Spider's dev queries, in one process, by our rewriter and by node-sql-parser, and prints the
 * speed of each and the share it gets right: it runs on the renamed database and returns the original rows.
 * @throws InputFormatError where Spider's files are absent
 */
export function runSqlBench(args: readonly string[], cwd: string, { print, record }: BenchOutput): void {
  const options = {
    data: { type: 'string', default: '../shared/data/spider' },
    rounds: { type: 'string', default: '3' },
  } as const;
  const { values } = parseArgs({ args: [...args], options });
  const data = resolve(cwd, values.data);
  const tasks = loadTasks(data);
  const databases = new Databases(data);
  const rivals = new Map<Database, ParserRival>();
  const rival: Rename = ({ sql, database, renames }) => {
    const known = rivals.get(database) ?? new ParserRival(database, renames);
    rivals.set(database, known);
    return known.rename(sql);
  };
  const own: Rename = ({ sql, database, renames }) => renameColumns(sql, database, renames).sql;
  print(`${tasks.length} queries, every column renamed; strings in single quotes for both`);
  print(
    `${''.padEnd(18)}${'rewrites/s'.padStart(11)}${'printed'.padStart(16)}${'executed'.padStart(16)}${'right'.padStart(16)}`,
  );
  const rounds = Math.max(1, Number(values.rounds) || 1);
  const measured = {
    perturbql: measure(tasks, own, rounds, databases),
    'node-sql-parser': measure(tasks, rival, rounds, databases),
  };
  for (const [name, figures] of Object.entries(measured)) print(row(name, figures, tasks.length));
  record(figureTable(measured, tasks.length));
}
