import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError, InputFormatError } from '../../src/errors.js';
import type { BenchOutput } from '../run-bench.js';
import { datasetsTable, missesOf } from './datasets-figures.js';
import { type MeasuredSet, measureSet } from './measure-set.js';
import { SHIPPED_SET_NAMES, SHIPPED_SETS, type ShippedSetName } from './shipped-sets.js';

/** "bird,wikisql"; all where none is named. */
function namesOf(given: string | undefined): readonly ShippedSetName[] {
  if (given === undefined) return SHIPPED_SET_NAMES;
  return given.split(',').map((name) => {
    const known = SHIPPED_SET_NAMES.find((one) => one === name);
    if (known !== undefined) return known;
    throw new ConfigError(`there is no set "${name}"`, { fix: `Known: ${SHIPPED_SET_NAMES.join(', ')}.` });
  });
}

function requireData(names: readonly ShippedSetName[], data: string): void {
  for (const name of names) {
    const file = join(data, SHIPPED_SETS[name].examples);
    if (existsSync(file)) continue;
    const fix = 'Give the folder that holds the sets with --data.';
    throw new InputFormatError(`${SHIPPED_SETS[name].title} is not there`, { where: { file }, fix });
  }
}

/**
 * Measures the sets as they are shipped; false where one is not as it is asked for. With `--runs` the runs are kept, and
 * those that are finished are not made again.
 */
export async function runDatasetsBench(
  args: readonly string[],
  root: string,
  { print, tell, record }: BenchOutput,
): Promise<boolean> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: [...args], options: { data: text, sets: text, runs: text } });
  const [names, data] = [namesOf(values.sets), resolve(values.data ?? join(root, '../shared/data'))];
  requireData(names, data);
  const runs = values.runs === undefined ? mkdtempSync(join(tmpdir(), 'bench-datasets-')) : resolve(values.runs);
  const measured = new Map<ShippedSetName, MeasuredSet>();
  try {
    for (const name of names) {
      tell(SHIPPED_SETS[name].title);
      const set = await measureSet(SHIPPED_SETS[name], data, join(runs, name), {
        main: join(root, 'dist/cli/main.js'),
        tell,
      });
      measured.set(name, set);
      for (const miss of missesOf(set)) print(`${SHIPPED_SETS[name].title}: ${miss}`);
    }
  } finally {
    if (values.runs === undefined) rmSync(runs, { recursive: true, force: true });
  }
  record(datasetsTable(measured));
  return [...measured.values()].every((set) => missesOf(set).length === 0);
}
