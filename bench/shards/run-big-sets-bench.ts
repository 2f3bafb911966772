import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ConfigError } from '../../src/errors.js';
import { childSeconds } from '../metrics/cpu-time.js';
import type { BenchOutput } from '../run-bench.js';
import { writeGeneratedSet } from './generated-set.js';

/** The set that is meant, and what of it is run: a fiftieth, and a twentieth of that. */
const WHOLE = { examples: 1_000_000, databases: 10_000 };
const PARTS = [
  { examples: 1_000, databases: 10, isWritten: true },
  { examples: 5_000, databases: 50, isWritten: true },
  { examples: 20_000, databases: 200, isWritten: false },
] as const;
/** No databases are written. */
const TEXTS = ['--materialize', 'none'];
const LOOK_EVERY_MS = 50;
const MIB = 2 ** 20;

/** Highest of what a process needed. */
interface Needs {
  readonly cpu: number;
  readonly memory: number;
  readonly files: number;
}

/** Resident memory in MiB at its highest, and files that are open now; null when the process is gone. */
function look(pid: number): { readonly memory: number; readonly files: number } | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const memory = (Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / MIB;
    return { memory, files: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return null;
  }
}

async function needsOf(child: ChildProcess, before: number): Promise<Needs> {
  let [memory, files] = [0, 0];
  const ended = once(child, 'close');
  while (child.exitCode === null && child.signalCode === null) {
    const seen = look(child.pid ?? 0);
    if (seen !== null && Number.isFinite(seen.memory)) {
      memory = Math.max(memory, seen.memory);
      files = Math.max(files, seen.files);
    }
    await sleep(LOOK_EVERY_MS);
  }
  await ended;
  if (child.exitCode !== 0) throw new Error(`the command ended with ${child.exitCode}`);
  return { cpu: (childSeconds(true) ?? NaN) - before, memory, files };
}

/** Measures `augment` with the cheapest recipe, exports and copies of databases, on sets of three sizes; and one shard of the largest. */
export async function runBigSetsBench(
  args: readonly string[],
  root: string,
  { print, tell, record }: BenchOutput,
): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { seed: { type: 'string' } } });
  const seed = Number(values.seed ?? 1);
  const main = join(root, 'dist/cli/main.js');
  if (!existsSync(main)) {
    throw new ConfigError('the product is not built', { where: { file: main }, fix: 'Run `npm run build`.' });
  }
  const folder = mkdtempSync(join(tmpdir(), 'bench-big-sets-'));
  const measure = async (set: string, out: string, ...more: readonly string[]): Promise<Needs> => {
    const before = childSeconds(true) ?? NaN;
    const inputs = ['--tables', 'tables.json', '--examples', 'examples.json', '--databases', 'database'];
    const words = [
      'augment',
      ...inputs,
      '--recipe',
      'random',
      '--paper',
      '--export',
      'parquet',
      '--jobs',
      '1',
      ...more,
    ];
    const child = spawn(process.execPath, [main, ...words, '--out', join(folder, out), '--quiet'], {
      cwd: join(folder, set),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return needsOf(child, before);
  };
  const rows: Record<string, Readonly<Record<string, string | number>>> = {};
  const add = (id: string, what: string, examples: number, { cpu, memory, files }: Needs): void => {
    rows[id] = { what, cpu, perExample: (1000 * cpu) / examples, memory, memoryPer: (1024 * memory) / examples, files };
    print(`${what}: ${cpu.toFixed(0)} s CPU, ${memory.toFixed(0)} MiB, ${files} files`);
  };
  try {
    for (const { examples, databases } of PARTS) {
      const name = String(examples);
      tell(`${name} examples`);
      writeGeneratedSet(join(folder, name), examples, databases, seed);
      const needs = await measure(name, `run-${name}`, ...TEXTS);
      add(`texts${name}`, `${examples} examples, ${databases} databases`, examples, needs);
      rmSync(join(folder, `run-${name}`), { recursive: true, force: true });
    }
    const { examples, databases } = PARTS[PARTS.length - 1]!;
    const count = examples / PARTS[0].examples;
    const shard = await measure(String(examples), 'shards', ...TEXTS, '--shard', `0/${count}`);
    add('shard', `one of ${count} shards of ${examples} examples`, examples / count, shard);
    for (const part of PARTS.filter(({ isWritten }) => isWritten)) {
      const name = String(part.examples);
      const what = `${name} examples, ${part.databases} databases, copies written and verified`;
      add(`copies${name}`, what, part.examples, await measure(name, `copies-${name}`));
      rmSync(join(folder, `copies-${name}`), { recursive: true, force: true });
    }
    record({
      id: 'big-sets',
      title: 'Big sets',
      about: `\`perturbql augment --paper\` with recipe \`random\` and an export in Parquet, on sets in Spider’s form that a generator makes from a seed: parts of ${WHOLE.examples} examples over ${WHOLE.databases} databases, the largest a fiftieth (${examples} over ${databases}). User and system CPU of all processes, and the highest resident memory and number of open files of the command’s own.`,
      columns: {
        what: { head: 'set' },
        cpu: { head: 'CPU s', decimals: 0 },
        perExample: { head: 'CPU ms an example', decimals: 1 },
        memory: { head: 'MiB', decimals: 0 },
        memoryPer: { head: 'KiB an example', decimals: 0 },
        files: { head: 'open files' },
      },
      rows,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
