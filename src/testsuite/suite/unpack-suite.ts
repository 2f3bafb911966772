import { join } from 'node:path';
import { RunFolderError } from '../../errors.js';
import { mustGet } from '../../present.js';
import { writeDurably } from '../../run/durable-file.js';
import { isFreeFolder, UnfinishedFolder } from '../../run/working-folders.js';
import { openSuite, type Suite } from './open-suite.js';

/** Counts of what was unpacked. */
export interface Unpacked {
  readonly schemas: number;
  readonly databases: number;
  readonly bytes: number;
}

function writeAll(suite: Suite, folder: string): Unpacked {
  const unpacked = { schemas: suite.ids.length, databases: 0, bytes: 0 };
  for (const dbId of suite.ids) {
    for (const { name } of mustGet(suite.schema(dbId), 'suite.schema(dbId)').databases) {
      const bytes = suite.bytes(dbId, name);
      writeDurably(join(folder, dbId, `${name}.sqlite`), [bytes]);
      unpacked.databases++;
      unpacked.bytes += bytes.length;
    }
  }
  return unpacked;
}

/**
 * Writes the databases of a suite as Spider's evaluators look for them: `<out>/<db_id>/*.sqlite`, each checked by its
 * sha256; all of them or none. To these programs every file with `.sqlite` in its name is a test database, so the
 * folder must be empty; what an earlier call that was killed left there goes.
 * @throws RunFolderError when the folder holds something, or there is no finished suite; InputFormatError when a
 * database is damaged
 */
export function unpackSuite(folder: string, out: string): Unpacked {
  const suite = openSuite(folder);
  if (!isFreeFolder(out)) {
    throw new RunFolderError('the folder is not empty', {
      where: { file: out },
      fix: 'Name an empty or new --out folder: evaluators take every .sqlite file there for a test database.',
    });
  }
  const unfinished = new UnfinishedFolder(out);
  try {
    const unpacked = writeAll(suite, unfinished.path);
    unfinished.finish();
    return unpacked;
  } catch (error) {
    unfinished.abandon();
    throw error;
  }
}
