import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { missesOf } from '../../bench/datasets/datasets-figures.js';
import { measureSet } from '../../bench/datasets/measure-set.js';
import { SHIPPED_SET_NAMES, SHIPPED_SETS } from '../../bench/datasets/shipped-sets.js';

// `npm run check:full` sets PERTURBQL_FULL. Without it, test/e2e/data-sets.test.ts does the same on sets of our own.
const FULL = process.env['PERTURBQL_FULL'] === '1';
const SHARED = '../shared/data';
const HOURS = 4 * 3_600_000;

const label = `data sets from their shipped files${existsSync(SHARED) ? '' : ' (skipped: ../shared/data is absent)'}`;

describe.skipIf(!FULL || !existsSync(SHARED))(label, () => {
  it.each(SHIPPED_SET_NAMES)(
    '%s goes through candidates, augment, verify, mutate and evaluate',
    async (name) => {
      const runs = mkdtempSync(join(tmpdir(), 'perturbql-full-sets-'));
      onTestFinished(() => rmSync(runs, { recursive: true, force: true }));
      const tell = (line: string): void => void process.stdout.write(`${name} ${line}\n`);
      const measured = await measureSet(SHIPPED_SETS[name], SHARED, runs, { main: 'dist/cli/main.js', tell });
      process.stdout.write(`${name}: ${JSON.stringify(measured)}\n`);
      expect(missesOf(measured)).toEqual([]);
    },
    HOURS,
  );
});
