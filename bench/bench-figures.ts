import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join, relative } from 'node:path';

/** A column of figures: its head, and how many decimals its numbers have (as they are if none is given). */
export interface FigureColumn {
  readonly head: string;
  readonly decimals?: number;
}

type Cell = number | string | null;

/** A table of a bench's figures. One figure's name is `<id>.<row>.<column>`, by the keys. */
export interface FigureTable {
  /** Name of its file in docs/figures/. */
  readonly id: string;
  readonly title: string;
  /** What was measured and what the columns say, as Markdown. */
  readonly about: string;
  readonly columns: Readonly<Record<string, FigureColumn>>;
  readonly rows: Readonly<Record<string, Readonly<Record<string, Cell>>>>;
}

/** Options that make a bench do less work than its figures stand for. */
const NARROWING = [
  ...['--first', '--only', '--columns', '--sets', '--pairs', '--items', '--rounds', '--curve', '--base', '--queries'],
  ...['--truths', '--gold', '--replay', '--requests'],
];

/** The option because of which a run's figures are not recorded, or null. */
export function narrowingOption(args: readonly string[]): string | null {
  return args.map((arg) => arg.split('=')[0] ?? '').find((name) => NARROWING.includes(name)) ?? null;
}

function rounded(table: FigureTable): FigureTable['rows'] {
  const round = (key: string, cell: Cell): Cell => {
    const decimals = table.columns[key]?.decimals;
    return typeof cell === 'number' && decimals !== undefined ? Number(cell.toFixed(decimals)) : cell;
  };
  const rows = Object.entries(table.rows).map(([id, row]) => {
    const cells = Object.entries(row).map(([key, cell]) => [key, round(key, cell)] as const);
    return [id, Object.fromEntries(cells)] as const;
  });
  return Object.fromEntries(rows);
}

function revisionOf(root: string): string {
  const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  try {
    return git('describe', '--always', '--dirty', '--exclude=*');
  } catch {
    return 'unknown';
  }
}

/**
 * Writes a bench's table to docs/figures/ with what made it: date, machine (with its load at the end),
 * command, and git revision ("-dirty" where
 * files had changed). `npm run docs:figures` puts it into the docs.
 * @returns the file, relative to the project's folder
 */
export function writeFigures(root: string, command: string, table: FigureTable): string {
  const { id, title, about, columns } = table;
  const { length: cores, 0: core } = cpus();
  const load = Number((loadavg()[0] ?? 0).toFixed(1));
  const machine = { cores, cpu: core?.model ?? 'unknown', node: process.versions.node, load };
  const made = { date: new Date().toISOString().slice(0, 10), machine, command, revision: revisionOf(root) };
  const folder = join(root, 'docs', 'figures');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${id}.json`);
  writeFileSync(file, `${JSON.stringify({ title, about, ...made, columns, rows: rounded(table) }, null, 2)}\n`);
  return relative(root, file);
}
