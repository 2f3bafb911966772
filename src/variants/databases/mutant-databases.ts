import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { databaseOf, type Dataset } from '../../formats/dataset.js';
import { makeFolder } from '../../run/make-folder.js';
import type { RunHost } from '../../run/run-host.js';
import { materializeCopy } from './copy/materialize-copy.js';
import { materializeSchema } from './materialize-schema.js';
import type { MutatedSchema } from './mutated-schema.js';
import {
  databasePath,
  scriptPath,
  type UnwrittenDatabase,
  writeOrName,
  writeVariants,
  type WrittenVariant,
} from './write-variants.js';
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
 * Writes the databases of mutated schemas next to copies of those that they were made from, as `writeVariants`.
 * @throws InputFormatError when an original can't be read
 */
export function writeMutantDatabases(request: MutantDatabasesRequest, host: RunHost): readonly UnwrittenDatabase[] {
  const { dataset, origins, schemas, out } = request;
  const variantOf = (id: string, origin: string, write: WrittenVariant['write']): WrittenVariant => {
    return { id, origin, file: databasePath(out, id), write };
  };
  const originals = origins.map((id) =>
    variantOf(id, id, ({ file }, target) => materializeCopy(file, target, { renames: [], additions: [] })),
  );
  const mutants = schemas.map((mutated) => {
    const database = databaseOf(dataset, mutated.origin);
    return variantOf(mutated.schema.id, mutated.origin, ({ file }, target) =>
      materializeSchema(file, target, database, mutated),
    );
  });
  return writeVariants(request, [...originals, ...mutants], host);
}

/** Writes a script for each mutated schema, in the data set's dialect; one that can't be said so is named. */
export function writeMutantScripts(
  { dataset, schemas, out }: MutantDatabasesRequest,
  mode: 'views' | 'migrations',
): readonly UnwrittenDatabase[] {
  return schemas.flatMap((mutated) =>
    writeOrName(mutated.schema.id, () => {
      const origin = databaseOf(dataset, mutated.origin);
      const file = scriptPath(out, mutated.schema.id);
      makeFolder(dirname(file));
      writeFileSync(file, renderMutantScript({ origin, mutated, dialect: dataset.dialect }, mode));
    }),
  );
}
