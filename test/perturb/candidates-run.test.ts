import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CandidatesRun } from '../../src/perturb/candidates-run.js';
import type { TableResult } from '../../src/pipeline.js';
import type { RecipeName } from '../../src/recipes/recipe-names.js';
import { parseSettings } from '../../src/recipes/settings.js';
import { RunFolder } from '../../src/run/run-folder.js';
import { SILENT_HOST } from '../../src/run/run-host.js';

function runWith(databases: string | null, settings: unknown = {}, recipe: RecipeName = 'cta'): Promise<CandidatesRun> {
  const paths = {
    dataset: 'spider',
    tables: 'examples/tables.json',
    examples: 'examples/dev.json',
    databases,
    connection: null,
  } as const;
  const choices = {
    columns: 'mentioned',
    recipe,
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

describe('a run that an earlier version began', () => {
  it('decides its tables again: their records have no original names', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'perturbql-resumed-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const run = await runWith(null, {}, 'random');
    const open = async (out: string): Promise<RunFolder<TableResult>> =>
      RunFolder.open<TableResult>(join(folder, out), await run.manifest('candidates', {}));
    const fresh = await open('fresh');
    const results = await run.decide(fresh, SILENT_HOST);
    expect(results.flatMap(({ decisions }) => decisions).length).toBeGreaterThan(0);
    const begun = await open('begun');
    for (const { id, decisions, ...result } of results) {
      const old = JSON.stringify(decisions, (key, value: unknown) => (key.endsWith('_original') ? undefined : value));
      begun.journal.append(id, { id, ...result, decisions: JSON.parse(old) as typeof decisions });
    }
    expect(await run.decide(begun, SILENT_HOST)).toEqual(results);
    for (const one of [fresh, begun]) one.close();
    await run.dispose();
  });
});
