import { fileURLToPath } from 'node:url';
import { existsSync } from 'node:fs';

const SHELL = '/bin/sh';

/** From this version of Node on, each thread with JavaScript reserves memory that the kernel counts as data; measured. */
const RESERVING_NODE = 23;
const RESERVED_MIB = 520;

/** Threads of a process that runs queries: its own and the watchdog's. */
const THREADS = 2;

function reservedMiB(): number {
  return Number.parseInt(process.versions.node, 10) < RESERVING_NODE ? 0 : THREADS * RESERVED_MIB;
}

/** The script of a process that runs queries; run from TypeScript source (tests), it is the built one: Node 20 can't run .ts. */
export function childScript(name: string): string {
  const folder = import.meta.url.endsWith('.ts') ? '../../../dist/sql/execution' : '.';
  return fileURLToPath(new URL(`${folder}/${name}.js`, import.meta.url));
}

/** How a Node process is started with bounds: its program, and what comes before the script among its arguments. */
export interface BoundedNode {
  readonly execPath: string;
  readonly execArgv: string[];
}

function limited(option: string, value: number): string {
  const limit = `ulimit -${option} ${value}`;
  return `(${limit}) 2>/dev/null && ${limit};`;
}

/**
 * Node with bounds of memory, and of CPU time where given. SQLite's own, `PRAGMA hard_heap_limit` and
 * `soft_heap_limit`, do nothing in better-sqlite3 (SQLITE_DEFAULT_MEMSTATUS=0); where there is a shell, the kernel
 * bounds the whole process (RLIMIT_DATA; Linux), so that SQLite runs out of memory as if there were no more. Elsewhere
 * only JavaScript's heap is bounded.
 */
export function boundedNode(memoryMiB: number, cpuSeconds?: number): BoundedNode {
  const heap = `--max-old-space-size=${Math.ceil(memoryMiB / 2)}`;
  if (!existsSync(SHELL)) return { execPath: process.execPath, execArgv: [heap] };
  const cpu = cpuSeconds === undefined ? '' : `${limited('t', cpuSeconds)} `;
  const script = `${cpu}${limited('d', (memoryMiB + reservedMiB()) * 1024)} exec "$0" "$@"`; // KiB
  return { execPath: SHELL, execArgv: ['-c', script, process.execPath, heap] };
}
