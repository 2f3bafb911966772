import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { InputFormatError, RunFolderError } from '../../errors.js';
import { candidateDecisionSchema } from '../../formats/candidates-file.js';
import { OUTPUT_KINDS } from '../../formats/output-set.js';
import { loadSpiderTables } from '../../formats/spider-tables.js';
import { groupBy } from '../../perturb/group-by.js';
import { readRunRecords } from '../../perturb/verify/run-records.js';
import { readRunManifest, type RunManifest } from '../../run/run-folder.js';
import type { Database } from '../../schema/schema.js';

const FIX = 'Name a folder that `perturbql augment` wrote and finished.';

/** Files of a run that say what its variants are. */
export const RUN_FILES = ['tables.json', 'examples.json', 'provenance.jsonl'] as const;

const lineSchema = z.object({
  source: z.string(),
  db_id: z.string(),
  original_db_id: z.string(),
  kind: z.enum(OUTPUT_KINDS),
  changes: z.array(
    z.object({
      table: z.string(),
      column: z.string(),
      identifier: z.string(),
      origin: candidateDecisionSchema.shape.origin,
    }),
  ),
});

/** A column that was renamed, or that another one was added because of. */
export type RunChange = z.infer<typeof lineSchema>['changes'][number];

/** A perturbed schema of a run with the gold queries on it. */
export interface RunVariant {
  readonly schema: Database;
  readonly original: Database;
  readonly kind: 'RPL' | 'ADD';
  readonly changes: readonly RunChange[];
  readonly golds: readonly { readonly original: string; readonly query: string }[];
}

/** What a suite is carried over to. */
export interface CarriedRun {
  readonly manifest: RunManifest;
  /** Schemas that the run's examples are on before they are perturbed, in the order of the examples. */
  readonly originals: readonly Database[];
  /** In the order of their first example. */
  readonly variants: readonly RunVariant[];
  /** Whether `SELECT *` returns added columns, too. */
  readonly keepStar: boolean;
}

function readManifest(folder: string): RunManifest {
  const manifest = readRunManifest(folder);
  const where = { file: folder };
  if (manifest.command !== 'augment') {
    throw new RunFolderError(
      `this is a run of ${manifest.command}: a suite is carried over to variants of augment alone`,
      { where, fix: FIX },
    );
  }
  const missing = RUN_FILES.find((name) => !existsSync(join(folder, name)));
  if (manifest.complete && missing === undefined) return manifest;
  throw new RunFolderError(missing === undefined ? 'the run is not finished' : `the run has no ${missing}`, {
    where,
    fix: 'Finish it: run the command that began it again.',
  });
}

/** Schemas by id; an unknown one is the run's fault. */
function schemaFinder(folder: string): (id: string) => Database {
  const file = join(folder, 'tables.json');
  const schemas = loadSpiderTables(file);
  return (id) => {
    const schema = schemas.get(id);
    if (schema !== undefined) return schema;
    throw new InputFormatError('there is no such schema', { where: { file, id }, fix: FIX });
  };
}

/**
 * Reads what `perturbql augment` wrote; its databases are not needed.
 * @throws RunFolderError or InputFormatError where the folder holds no finished run of it
 */
export function readCarriedRun(folder: string): CarriedRun {
  const manifest = readManifest(folder);
  const schemaOf = schemaFinder(folder);
  const records = readRunRecords(folder, lineSchema, FIX).map(({ line, query }) => ({ ...line, query }));
  const golds = new Map(records.flatMap(({ kind, source, query }) => (kind === 'original' ? [[source, query]] : [])));
  const perturbed = records.filter(({ kind }) => kind !== 'original');
  const variants = [...groupBy(perturbed, ({ db_id }) => db_id)].map(([id, group]): RunVariant => {
    const { original_db_id: original, kind, changes } = group[0]!;
    return {
      schema: schemaOf(id),
      original: schemaOf(original),
      kind: kind === 'ADD' ? 'ADD' : 'RPL',
      changes,
      golds: group.flatMap(({ source, query }) => {
        const gold = golds.get(source);
        return gold === undefined ? [] : [{ original: gold, query }];
      }),
    };
  });
  const originals = new Set(records.map(({ original_db_id: id }) => id));
  const keepStar = manifest.settings['keepStar'] === true;
  return { manifest, originals: [...originals].map(schemaOf), variants, keepStar };
}
