import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PerturbqlError } from '../../errors.js';
import type { Dataset } from '../../formats/dataset.js';
import { materializeCopy } from '../../variants/copy/materialize-copy.js';
import { databasePath, type UnwrittenDatabase, scriptPath } from '../../perturb/database/perturbed-databases.js';
import { groupBy } from '../../run/group-by.js';
import { mustGet } from '../../present.js';
import { makeFolder } from '../../run/make-folder.js';
import { SCRATCH } from '../../run/scratch-folder.js';
import type { RunHost } from '../../run/run-host.js';
import type { Database } from '../../schema/schema.js';
import { materializeSchema } from '../../variants/materialize-schema.js';
import type { MutatedSchema } from '../../variants/mutated-schema.js';
import { renderMutantScript } from './mutant-script.js';

export interface MutantDatabasesRequest {
  readonly dataset: Dataset;
  /** Ids of the data set's own databases that mutants are asked of or made from. */
  readonly origins: readonly string[];
  /** Mutated schemas, each once. */
  readonly schemas: readonly MutatedSchema[];
  /** Folder of the run; databases go below `database/`, in Spider's layout. */
  readonly out: string;
}

/**
 * Writes the databases of mutated schemas next to copies of those that they were made from; what is there from an earlier
 * run of the same command stays. One that can't be written is named with its reason; a data set without rows has none.
 * @throws InputFormatError when an original can't be read
 */
export function writeMutantDatabases(request: MutantDatabasesRequest, host: RunHost): readonly UnwrittenDatabase[] {
  const { dataset, origins, schemas, out } = request;
  const byOrigin = groupBy(schemas, ({ origin }) => origin);
  const unwritten: UnwrittenDatabase[] = [];
  const scratch = join(out, SCRATCH);
  let done = 0;
  for (const origin of origins) {
    host.signal.throwIfAborted();
    const source = dataset.sqliteFile(origin, scratch);
    const own = byOrigin.get(origin) ?? [];
    if (source !== null) unwritten.push(...writeFrom(source, origin, own, request, host));
    rmSync(scratch, { recursive: true, force: true });
    host.progress('databases written', (done += own.length + 1), origins.length + schemas.length);
  }
  return unwritten;
}

/** Writes one original and what was made from it. */
function writeFrom(
  source: string,
  origin: string,
  schemas: readonly MutatedSchema[],
  { dataset, out }: MutantDatabasesRequest,
  { signal }: RunHost,
): readonly UnwrittenDatabase[] {
  const copy = databasePath(out, origin);
  if (!existsSync(copy)) materializeCopy(source, copy, { renames: [], additions: [] });
  const database = mustGet(dataset.databases.get(origin), 'dataset.databases.get(origin)');
  return schemas.flatMap((mutated) => {
    signal.throwIfAborted();
    const target = databasePath(out, mutated.schema.id);
    return existsSync(target) ? [] : writeOne(source, target, database, mutated);
  });
}

function writeOne(
  source: string,
  target: string,
  origin: Database,
  mutated: MutatedSchema,
): readonly UnwrittenDatabase[] {
  try {
    materializeSchema(source, target, origin, mutated);
    return [];
  } catch (error) {
    if (error instanceof PerturbqlError) return [{ id: mutated.schema.id, reason: error.message }];
    throw error;
  }
}

/** Writes a script for each mutated schema, in the data set's dialect; one that can't be said so is named. */
export function writeMutantScripts(
  { dataset, schemas, out }: MutantDatabasesRequest,
  mode: 'views' | 'migrations',
): readonly UnwrittenDatabase[] {
  return schemas.flatMap((mutated) => {
    try {
      const origin = mustGet(dataset.databases.get(mutated.origin), 'dataset.databases.get(mutated.origin)');
      const file = scriptPath(out, mutated.schema.id);
      makeFolder(dirname(file));
      writeFileSync(file, renderMutantScript({ origin, mutated, dialect: dataset.dialect }, mode));
      return [];
    } catch (error) {
      if (error instanceof PerturbqlError) return [{ id: mutated.schema.id, reason: error.message }];
      throw error;
    }
  });
}
