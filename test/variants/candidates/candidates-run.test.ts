import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { InputFormatError } from '../../../src/errors.js';
import { CandidatesRun } from '../../../src/variants/candidates/candidates-run.js';
import type { TableResult } from '../../../src/pipeline.js';
import type { RecipeName } from '../../../src/recipes/recipe-names.js';
import { parseSettings } from '../../../src/recipes/settings.js';
import { RunFolder } from '../../../src/run/run-folder.js';
import { NOOP_HOST } from '../../../src/run/run-host.js';

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
  return CandidatesRun.open({ ...paths, ...choices }, NOOP_HOST);
}

describe('databases without a file that holds them', () => {
  /** A copy of the example databases, changed. */
  function changed(change: (folder: string, file: string) => void): string {
    const folder = mkdtempSync(join(tmpdir(), 'perturbql-unusable-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    cpSync('examples/database', folder, { recursive: true });
    change(folder, join(folder, 'pottery_studio', 'pottery_studio.sqlite'));
    return folder;
  }

  function foreign(file: string): void {
    rmSync(file);
    const sqlite = new Sqlite(file);
    sqlite.exec('CREATE TABLE of_another_database (a)');
    sqlite.close();
  }

  it.each<[string, (folder: string, file: string) => void, string]>([
    ['missing', (_, file) => rmSync(file), 'there is no database file'],
    ['of 0 bytes', (_, file) => writeFileSync(file, ''), 'the database file is empty'],
    ['another database', (_, file) => foreign(file), 'the file has none of the schema’s tables'],
  ])('are named where one is %s', async (_, change, reason) => {
    const { unusable } = await runWith(changed(change));
    expect(unusable).toMatchObject([{ id: 'pottery_studio', reason }]);
  });

  it('are refused where there is no other', async () => {
    const empty = changed((folder) => {
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
    });
    const refusal = runWith(empty);
    await expect(refusal).rejects.toThrow(InputFormatError);
    await expect(refusal).rejects.toThrow('there is no database file');
    const zero = changed((folder) => {
      for (const id of readdirSync(folder)) writeFileSync(join(folder, id, `${id}.sqlite`), '');
    });
    await expect(runWith(zero)).rejects.toMatchObject({
      message: 'the database file is empty',
      fix: expect.stringContaining('none of its 3 databases can be used') as string,
      where: { file: join(zero, 'community_garden', 'community_garden.sqlite') },
    });
  });

  it('are none where all are there, or none was asked for', async () => {
    expect((await runWith('examples/database')).unusable).toEqual([]);
    expect((await runWith(null)).unusable).toEqual([]);
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
    const stages = await run.loadStages(NOOP_HOST);
    const open = (out: string): RunFolder<TableResult> =>
      RunFolder.open<TableResult>(join(folder, out), run.manifest('candidates', stages, {}));
    const fresh = open('fresh');
    const results = [...(await run.decide(fresh, stages, NOOP_HOST))];
    expect(results.flatMap(({ decisions }) => decisions).length).toBeGreaterThan(0);
    const begun = open('begun');
    for (const { id, decisions, ...result } of results) {
      const old = JSON.stringify(decisions, (key, value: unknown) => (key.endsWith('_original') ? undefined : value));
      begun.journal.append(id, { id, ...result, decisions: JSON.parse(old) as typeof decisions });
    }
    expect([...(await run.decide(begun, stages, NOOP_HOST))]).toEqual(results);
    for (const one of [fresh, begun]) one.close();
    await run.dispose();
  });
});
