import { describe, expect, it, vi } from 'vitest';
import type { Dataset } from '../../../src/formats/dataset.js';
import { loadDataset } from '../../../src/formats/load-dataset.js';
import { POSTGRESQL } from '../../../src/sql/postgresql-dialect.js';
import { planSuite } from '../../../src/testsuite/suite/suite-plan.js';
import { EXAMPLE_DATA } from '../../e2e/example-data.js';

vi.mock('../../../src/formats/load-dataset.js', async (original) => {
  const real = await original<{ readonly loadDataset: typeof loadDataset }>();
  return { ...real, loadDataset: vi.fn(real.loadDataset) };
});

const { tables, examples, databases } = EXAMPLE_DATA;
const PATHS = { dataset: 'spider', tables, examples, databases, connection: null } as const;

describe('planSuite', () => {
  it('gives each schema its distinct golds', async () => {
    const { schemas } = await planSuite(PATHS);
    expect(schemas.map(({ database }) => database.id).sort()).toEqual([
      'community_garden',
      'planetarium',
      'pottery_studio',
    ]);
    for (const { golds } of schemas) expect(new Set(golds).size).toBe(golds.length);
  });

  it('refuses gold in another dialect than SQLite’s', async () => {
    const dataset: Dataset = { ...(await loadDataset(PATHS)), format: 'postgresql', dialect: POSTGRESQL };
    vi.mocked(loadDataset).mockResolvedValueOnce(dataset);
    await expect(planSuite(PATHS)).rejects.toThrow(/gold queries of postgresql are in the dialect of PostgreSQL/);
  });
});
