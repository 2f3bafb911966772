import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SqlRewriteError } from '../../../src/errors.js';
import type { Dataset } from '../../../src/formats/dataset.js';
import { loadDataset } from '../../../src/formats/load-dataset.js';
import type { Database } from '../../../src/schema/schema.js';
import { expandStars, renameColumns, rewriteForAdded } from '../../../src/sql/rename-columns.js';
import {
  createScratchDatabase,
  livePaths,
  serverOf,
  serverTitle,
  type ScratchDatabase,
  type ServerFormat,
} from './live-servers.js';
import { randomAdditions, randomRenames, type ServerChange } from './server-changes.js';
import { SERVER_QUERIES } from './server-queries.js';
import { outcomeOf, townScript } from './town-server.js';

const SEEDS = [1, 2, 3];

describe.each<ServerFormat>(['postgresql', 'mysql'])('%s', (format) => {
  describe.skipIf(serverOf(format) === null)(serverTitle('gold SQL on a changed schema', format), () => {
    let folder: string;
    let town: ScratchDatabase;
    let dataset: Dataset;
    let database: Database;
    let originals: ReadonlyMap<string, string>;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'perturbql-live-'));
      town = await createScratchDatabase(format);
      await town.run(...townScript(format));
      writeFileSync(join(folder, 'ask.jsonl'), '{"question":"?","query":"SELECT 1"}\n');
      dataset = await loadDataset(livePaths(format, town.url, join(folder, 'ask.jsonl')));
      database = dataset.databases.get(town.name)!;
      // A table may be qualified by its database, which has a name of its own here.
      const queries = SERVER_QUERIES[format].map((sql) => sql.replaceAll('town.', `${town.name}.`));
      const outcomes = new Map<string, string>();
      for (const sql of queries) outcomes.set(sql, await outcomeOf(town, sql));
      originals = outcomes;
    });

    afterAll(async () => {
      rmSync(folder, { recursive: true, force: true });
      await town.drop();
    });

    function rewritten(sql: string, { renames, added }: ServerChange): string | null {
      const { dialect } = dataset;
      try {
        if (renames.size > 0) return renameColumns(sql, database, renames, dialect).sql;
        return rewriteForAdded(sql, database, added, { dialect }).sql;
      } catch (error) {
        expect(error).toBeInstanceOf(SqlRewriteError);
        return null;
      }
    }

    async function checkChange(change: ServerChange): Promise<void> {
      await town.run(...change.apply);
      try {
        for (const [original, outcome] of originals) {
          const sql = rewritten(original, change);
          // The merged column of a full join can't be distinguished by a qualified name.
          if (sql === null) expect(original).toContain('FULL JOIN');
          else expect(`${sql}\n${await outcomeOf(town, sql)}`).toBe(`${sql}\n${outcome}`);
        }
      } finally {
        await town.run(...change.undo);
      }
    }

    it('the queries are what the server accepts', () => {
      expect(originals.size).toBeGreaterThan(60);
      expect([...originals].filter(([, outcome]) => outcome.startsWith('refused'))).toEqual([]);
    });

    it('lists of columns are what stars select', async () => {
      for (const [original, outcome] of originals) {
        const { sql } = expandStars(original, database, dataset.dialect);
        if (sql !== original) expect(`${sql}\n${await outcomeOf(town, sql)}`).toBe(`${sql}\n${outcome}`);
      }
    });

    it.each(SEEDS)('returns the same under new names, seed %i', async (seed) => {
      await checkChange(randomRenames(database, seed, dataset.dialect));
    });

    it.each(SEEDS)('returns the same next to further columns, seed %i', async (seed) => {
      await checkChange(randomAdditions(database, seed, dataset.dialect));
    });
  });
});
