import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { prepareAttack, scoreAttack } from '../../../src/measure/attack/prepare-attack.js';
import { loadDataset } from '../../../src/formats/load-dataset.js';
import { inputOf, perfectVictim } from './attack-fixture.js';

vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  return { ...real, readFileSync: vi.fn(real.readFileSync) };
});
vi.mock('../../../src/formats/load-dataset.js', async (original) => {
  const real = await original<{ readonly loadDataset: typeof loadDataset }>();
  return { ...real, loadDataset: vi.fn(real.loadDataset) };
});

it('reads data set and candidates once', async () => {
  const { candidates, tables, examples, seeds, out } = inputOf(perfectVictim());
  await prepareAttack({ candidates, tables: tables!, examples: examples!, seeds: seeds!, out });
  const predictions = join(out, 'predictions.jsonl');
  writeFileSync(predictions, '{"id": "dev:0~original", "sql": "SELECT 1"}\n');
  vi.mocked(readFileSync).mockClear();
  vi.mocked(loadDataset).mockClear();
  const { report } = await scoreAttack({ run: out, predictions });
  expect(report.scores.length).toBeGreaterThan(0);
  const paths = vi.mocked(readFileSync).mock.calls.map(([path]) => path);
  expect(paths.filter((path) => path === candidates)).toHaveLength(1);
  expect(loadDataset).toHaveBeenCalledTimes(1);
});
