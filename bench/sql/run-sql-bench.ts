import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { itemAt } from '../../src/present.js';
import { columnKey } from '../../src/schema/schema.js';
import type { FigureTable } from '../bench-figures.js';
import type { BenchOutput } from '../run-bench.js';
import { loadRenameTasks, type NAMINGS, type RenameTask } from './rename-tasks.js';
import { RenamedDatabases, rowsOf } from './renamed-databases.js';

const PASSES = 3;
const MOST_BYTES = 256 * 1024 * 1024;

/** Golds whose columns are all renamed. */
interface RenameSet {
  readonly id: string;
  readonly title: string;
  readonly gold: string;
  readonly tables: string;
  readonly databases: string;
  readonly naming: keyof typeof NAMINGS;
}

const SPIDER = { gold: 'spider/dev_gold.sql', tables: 'spider/tables.json', databases: 'spider/database' } as const;
const BIRD = { gold: 'bird/dev_gold.sql', tables: 'bird/dev_tables.json', databases: 'bird/none' } as const;

const SETS: readonly RenameSet[] = [
  { id: 'dev', title: 'Spider dev', ...SPIDER, naming: 'plain' },
  { id: 'dev-adversarial', title: 'Spider dev, adversarial names', ...SPIDER, naming: 'adversarial' },
  { id: 'train', title: 'Spider train', ...SPIDER, gold: 'spider/train_gold.sql', naming: 'plain' },
  { id: 'bird', title: 'BIRD dev', ...BIRD, naming: 'plain' },
  { id: 'bird-adversarial', title: 'BIRD dev, adversarial names', ...BIRD, naming: 'adversarial' },
];

/** Who renames: programs in JavaScript, and modes of bench/python/splice_rename.py. */
const RIVALS = {
  perturbql: 'perturbql',
  'sqlglot[c], splicing': 'splice',
  'sqlglot[c], qualify': 'qualify',
  'node-sql-parser': 'node-sql-parser',
  'plain text': 'replace',
} as const;

interface Pass {
  readonly seconds: readonly number[];
  readonly texts: readonly (string | null)[];
}

const goldsOf = (tasks: readonly RenameTask[]): readonly (readonly [string, string])[] =>
  tasks.map(({ sql, database }) => [sql, database.id]);

function runNode(mode: string, { tables, naming }: RenameSet, tasks: readonly RenameTask[]): Pass {
  const child = fileURLToPath(new URL('rename-child.js', import.meta.url));
  const input = JSON.stringify({ mode, golds: goldsOf(tasks), tables, naming, passes: PASSES });
  return JSON.parse(execFileSync(process.execPath, [child], { input, maxBuffer: MOST_BYTES }).toString()) as Pass;
}

function runPython(python: string, script: string, mode: string, tasks: readonly RenameTask[]): Pass {
  const databases = new Map(tasks.map(({ database, renames }) => [database.id, { database, renames }]));
  const schemas = Object.fromEntries(
    [...databases].map(([id, { database, renames }]) => {
      const tables = database.tables.map(({ originalName, columns }, table) => {
        const names = columns.map(({ originalName: name }, column) => {
          return [name, renames.get(columnKey({ table, column })) ?? name];
        });
        return [originalName, Object.fromEntries(names) as unknown];
      });
      return [id, Object.fromEntries(tables) as unknown];
    }),
  );
  const input = JSON.stringify({
    schemas,
    tasks: goldsOf(tasks),
    passes: PASSES,
    mode,
  });
  return JSON.parse(execFileSync(python, [script], { input, maxBuffer: MOST_BYTES }).toString()) as Pass;
}

type Figures = Readonly<Record<'printed' | 'executed' | 'right' | 'first' | 'warm', number>>;

function judge({ seconds, texts }: Pass, tasks: readonly RenameTask[], databases: RenamedDatabases): Figures {
  const counts = { printed: 0, executed: 0, right: 0 };
  texts.forEach((text, i) => {
    if (text === null) return;
    counts.printed += 1;
    const task = itemAt(tasks, i);
    const [before, after] = databases.of(task);
    const rows = rowsOf(after, text);
    if (rows !== null) counts.executed += 1;
    if (rows !== null && rows === rowsOf(before, task.sql)) counts.right += 1;
  });
  const rate = (pass: number): number => tasks.length / (seconds[pass] ?? Infinity);
  return { ...counts, first: rate(0), warm: rate(PASSES - 1) };
}

function figureTable(rows: FigureTable['rows']): FigureTable {
  return {
    id: 'sql',
    title: 'Rewriting queries for renamed columns',
    about:
      'Gold queries with every column renamed, each program in a fresh process: the first pass over all of them, and the third. `sqlglot[c]` is sqlglot with its compiled core; ' +
      '"splicing" edits the text at its token positions by its scopes, "qualify" prints what its optimizer qualifies (both: bench/python/splice_rename.py). Right: it runs on the renamed database ' +
      'and returns the original rows (BIRD: on synthetic databases). Gold queries repeat: of Spider’s 1,034 some 560 differ, and perturbql remembers the last rewrite of each schema. In perturbql’s first pass about half of the CPU is that of V8’s compiler.',
    columns: {
      set: { head: 'set' },
      rewriter: { head: 'rewriter' },
      golds: { head: 'gold queries' },
      first: { head: 'first pass, per CPU s', decimals: 0 },
      warm: { head: 'third pass, per CPU s', decimals: 0 },
      printed: { head: 'printed, %', decimals: 2 },
      executed: { head: 'executed, %', decimals: 2 },
      right: { head: 'right, %', decimals: 2 },
    },
    rows,
  };
}

/**
 * Renames every column in golds by our rewriter and by others, each in a fresh process, and prints the speed of each and
 * the share it gets right. `--python`: an interpreter with `sqlglot[c]`.
 * @throws InputFormatError where the data are absent
 */
export function runSqlBench(args: readonly string[], cwd: string, { print, record }: BenchOutput): void {
  const options = {
    data: { type: 'string', default: '../shared/data' },
    python: { type: 'string', default: 'python3' },
    only: { type: 'string' },
  } as const;
  const { values } = parseArgs({ args: [...args], options });
  const script = resolve(cwd, 'bench/python/splice_rename.py');
  const rows: Record<string, FigureTable['rows'][string]> = {};
  for (const set of SETS.filter(({ id }) => values.only === undefined || id === values.only)) {
    const at = (path: string): string => join(resolve(cwd, values.data), path);
    const placed = { ...set, gold: at(set.gold), tables: at(set.tables), databases: at(set.databases) };
    const tasks = loadRenameTasks(placed.gold, placed.tables, set.naming);
    const databases = new RenamedDatabases(placed.databases, tasks);
    print(`${set.title}: ${tasks.length} gold queries, every column renamed`);
    for (const [name, mode] of Object.entries(RIVALS)) {
      const isNode = mode === 'perturbql' || mode === 'node-sql-parser';
      const pass = isNode ? runNode(mode, placed, tasks) : runPython(values.python, script, mode, tasks);
      const { first, warm, printed, executed, right } = judge(pass, tasks, databases);
      const share = (count: number): number => (100 * count) / tasks.length;
      const [p, e, r] = [printed, executed, right].map((count) =>
        `${count} (${share(count).toFixed(2)} %)`.padStart(17),
      );
      print(`  ${name.padEnd(22)}${first.toFixed(0).padStart(8)}${warm.toFixed(0).padStart(8)}${p}${e}${r}`);
      rows[`${set.id}-${mode}`] = {
        set: set.title,
        rewriter: name,
        golds: tasks.length,
        first,
        warm,
        printed: share(printed),
        executed: share(executed),
        right: share(right),
      };
    }
  }
  record(figureTable(rows));
}
