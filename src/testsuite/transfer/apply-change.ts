import { openConnection } from '../../sql/execution/open-connection.js';
import { changeDatabase } from '../../variants/databases/copy/change-database.js';
import { AdditionFiller } from '../../variants/databases/plan-change.js';
import { createRng } from '../../seeded-rng.js';
import type { SuiteDatabase } from '../suite/suite-manifest.js';
import type { SuiteChange } from './suite-change.js';

/** Where a file says which SQLite wrote it last, and when that was true: https://sqlite.org/fileformat2.html */
const WRITER = { from: 92, to: 100 };

/**
 * Returns the key that the values of a variant's added columns are drawn by. On the original it is the key of
 * `perturbql augment`, so that the run's own database and the suite's hold the same values.
 */
function valueKey(dbId: string, { name, origin }: Pick<SuiteDatabase, 'name' | 'origin'>): string {
  return origin.kind === 'original' ? dbId : `${dbId}/${name}`;
}

/**
 * A database of an original's suite as a variant has it: columns renamed, columns added with values of their own. The
 * same bytes give the same.
 * @throws InputFormatError or SqlRewriteError as `changeDatabase`: the database lacks a column, a view can't follow
 */
export function applyChange(bytes: Buffer, change: SuiteChange, dbId: string, database: SuiteDatabase): Buffer {
  const sqlite = openConnection(bytes);
  try {
    // Lets the schema be edited; in memory nothing needs a journal.
    sqlite.unsafeMode(true);
    for (const pragma of ['journal_mode = OFF', 'foreign_keys = OFF']) sqlite.pragma(pragma);
    const key = valueKey(dbId, database);
    const filler = new AdditionFiller(() => sqlite);
    const additions = change.additions.map(({ table, name, words, type, before, target, sourceValues }) => {
      const column = { name: words, originalName: name, type };
      const rng = createRng(change.seed, `${key}/${table}.${name}`);
      return filler.fill({ table, column, before, target }, sourceValues, rng);
    });
    changeDatabase(sqlite, { renames: change.renames, additions });
    const changed = sqlite.serialize();
    // The same content under another version of SQLite is the same file.
    changed.fill(0, WRITER.from, WRITER.to);
    return changed;
  } finally {
    sqlite.close();
  }
}
