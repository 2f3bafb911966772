import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CandidatesRun } from '../../src/perturb/candidates-run.js';
import { parseSettings } from '../../src/recipes/settings.js';
import { SILENT_HOST } from '../../src/run/run-host.js';

function runWith(databases: string | null, settings: unknown = {}): Promise<CandidatesRun> {
  const paths = {
    dataset: 'spider',
    tables: 'examples/tables.json',
    examples: 'examples/dev.json',
    databases,
    connection: null,
  } as const;
  const choices = {
    columns: 'mentioned',
    recipe: 'cta',
    settings: parseSettings(settings),
    seed: 0,
    out: 'unused',
  } as const;
  return CandidatesRun.open({ ...paths, ...choices }, SILENT_HOST);
}

describe('databasesWithoutFile', () => {
  it('names those whose file is not in the folder', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'perturbql-empty-'));
    onTestFinished(() => rmSync(empty, { recursive: true }));
    expect((await runWith(empty)).databasesWithoutFile).toEqual(['community_garden', 'pottery_studio', 'planetarium']);
  });

  it('is empty where all are there, or none was asked for', async () => {
    expect((await runWith('examples/database')).databasesWithoutFile).toEqual([]);
    expect((await runWith(null)).databasesWithoutFile).toEqual([]);
  });
});

describe('settings that the stages would refuse', () => {
  it.each([
    [{ naturalness: { shorts: false } }, /no naturalness rule "shorts"/],
    [{ nli: { rplMin: 0.1 } }, /nli.addMax \(.*\) must be below nli.rplMin \(0.1\)/],
  ])('are refused before the run, so by a dry run too: %j', async (settings, message) => {
    await expect(runWith(null, settings)).rejects.toThrow(message);
  });
});
