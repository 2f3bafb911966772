import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second in /proc, which Linux fixes for programs. */
const TICKS = 100;
const PAGE_MIB = 4096 / 1024 / 1024;

/** What a process and its descendants have used, and hold. */
export interface TreeUse {
  /** User and system CPU seconds, descendants that ended included. */
  readonly cpu: number;
  readonly memoryMiB: number;
  readonly processes: number;
  readonly threads: number;
}

interface ProcessUse extends Omit<TreeUse, 'processes'> {
  readonly pid: number;
  readonly parent: number;
}

/** Of fields behind the name in /proc/PID/stat: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html, less 3. */
function useOf(pid: number): ProcessUse | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const at = (place: number): number => fields[place] ?? 0;
    const cpu = (at(11) + at(12) + at(13) + at(14)) / TICKS;
    return { pid, parent: at(1), cpu, threads: at(17), memoryMiB: at(21) * PAGE_MIB };
  } catch {
    return null; // it has ended
  }
}

/** Linux only: elsewhere there is no /proc to ask. */
export function treeUse(root: number): TreeUse {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (useOf(Number(name)) ?? []) : []));
  const tree = all.filter(({ pid }) => pid === root);
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid)); // grows while it is walked
  const sum = (value: (use: ProcessUse) => number): number => tree.reduce((total, use) => total + value(use), 0);
  return {
    cpu: sum(({ cpu }) => cpu),
    memoryMiB: sum(({ memoryMiB }) => memoryMiB),
    processes: tree.length,
    threads: sum(({ threads }) => threads),
  };
}
