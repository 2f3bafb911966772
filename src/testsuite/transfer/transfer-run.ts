import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { InputFormatError, RunFolderError } from '../../errors.js';
import { PROVENANCE_FILE, readPerturbedRecords, type RecordedChange } from '../../formats/artifacts/provenance.js';
import { loadSpiderTables } from '../../formats/spider-tables.js';
import { groupBy } from '../../run/group-by.js';
import { INPUT_VALUES_SEED } from '../../variants/databases/perturbed-databases.js';
import { isVariantKind, type VariantKind } from '../../variants/augment/variant-plan.js';
import { readRunManifest, type RunManifest } from '../../run/run-folder.js';
import type { Database } from '../../schema/schema.js';

/** The remedy if a folder is no run that a suite is transferred to. */
export const RUN_FIX =
  'Name a folder that `perturbql augment` wrote and finished, or one of the inputs of a finished `perturbql attack prepare`, such as RUN/inputs/RPL-0.';

const FINISH_FIX = 'Finish it: run the command that began it again.';

/** How a command leaves what its variants are. Paths are relative to the folder that a user names. */
interface RunKind {
  readonly command: string;
  /** Where its manifest is. */
  readonly root: string;
  /** The beginnings of the paths of its tables, records and provenance: of the variants, and of originals elsewhere. */
  readonly parts: readonly string[];
  /** The file of the records. */
  readonly records: string;
  /** Seed of the values that its databases have in added columns. */
  readonly seedOf: (manifest: RunManifest) => number;
  /** The remedy if a finished run lacks one of the files. */
  readonly whenMissing: string;
}

const AUGMENT: RunKind = {
  command: 'augment',
  root: '',
  parts: [''],
  records: 'examples.json',
  seedOf: ({ seed }) => seed,
  whenMissing: FINISH_FIX,
};

/** Ids of schemas hold in one condition's folder alone, so that a suite is transferred to one at a time. */
const PREPARED: RunKind = {
  command: 'attack prepare',
  root: '../..',
  parts: ['', '../original/'],
  records: 'dev.json',
  seedOf: () => INPUT_VALUES_SEED,
  whenMissing:
    'Prepare the inputs again, with another --out: earlier versions wrote no provenance, and the rest as now.',
};

function kindOf(folder: string): RunKind {
  const isPrepared = basename(dirname(resolve(folder))) === 'inputs' && existsSync(join(folder, PREPARED.records));
  return isPrepared ? PREPARED : AUGMENT;
}

function filesOf({ parts, records }: RunKind): readonly string[] {
  return parts.flatMap((part) => ['tables.json', records, PROVENANCE_FILE].map((name) => `${part}${name}`));
}

/** A perturbed schema of a run with the gold queries on it. */
export interface RunVariant {
  readonly schema: Database;
  readonly original: Database;
  readonly kind: VariantKind;
  readonly changes: readonly RecordedChange[];
  readonly golds: readonly { readonly original: string; readonly query: string }[];
}

/** The run that a suite is transferred to. */
export interface TransferRun {
  /** The files that say what its variants are, relative to its folder. */
  readonly files: readonly string[];
  /** Of the values of added columns. */
  readonly seed: number;
  /** Schemas that the run's examples are on before they are perturbed, in the order of the examples. */
  readonly originals: readonly Database[];
  /** In the order of their first example. */
  readonly variants: readonly RunVariant[];
  /** True if `SELECT *` returns added columns, too. */
  readonly keepStar: boolean;
}

function readManifest(folder: string, kind: RunKind): RunManifest {
  const root = join(folder, kind.root);
  const manifest = readRunManifest(root);
  if (manifest.command !== kind.command) {
    throw new RunFolderError(
      `this is a run of ${manifest.command}: a suite is transferred to a run of augment, or to inputs of attack prepare under one condition`,
      { where: { file: root }, fix: RUN_FIX },
    );
  }
  if (!manifest.complete) {
    throw new RunFolderError('the run is not finished', {
      where: { file: root },
      fix: FINISH_FIX,
    });
  }
  const missing = filesOf(kind)
    .map((name) => join(folder, name))
    .find((file) => !existsSync(file));
  if (missing === undefined) return manifest;
  throw new RunFolderError(`the run has no ${basename(missing)}`, {
    where: { file: dirname(missing) },
    fix: kind.whenMissing,
  });
}

/** Schemas by id; an unknown one is the run's fault. */
function schemaFinder(folder: string, { parts }: RunKind): (id: string) => Database {
  const schemas = new Map(parts.flatMap((part) => [...loadSpiderTables(join(folder, `${part}tables.json`))]));
  return (id) => {
    const schema = schemas.get(id);
    if (schema !== undefined) return schema;
    throw new InputFormatError('there is no such schema', {
      where: { file: join(folder, 'tables.json'), id },
      fix: RUN_FIX,
    });
  };
}

/**
 * Reads what `perturbql augment` wrote, or `perturbql attack prepare` under one condition; databases are not needed.
 * @throws RunFolderError or InputFormatError where the folder holds no finished run of them
 */
export function readTransferRun(folder: string): TransferRun {
  const kind = kindOf(folder);
  const manifest = readManifest(folder, kind);
  const schemaOf = schemaFinder(folder, kind);
  const records = kind.parts
    .flatMap((part) => readPerturbedRecords(join(folder, `${part}${kind.records}`), RUN_FIX))
    .map(({ line, query }) => ({ ...line, query }));
  const goldQueries = new Map(
    records.flatMap(({ kind, source, query }) => (kind === 'original' ? [[source, query]] : [])),
  );
  // A suite follows columns, and a mutant's tables may be others.
  const perturbed = records.flatMap(({ kind, ...record }) => (isVariantKind(kind) ? [{ kind, ...record }] : []));
  const variants = [...groupBy(perturbed, ({ db_id }) => db_id)].map(([id, group]): RunVariant => {
    const [{ original_db_id: original, kind, changes }] = group;
    return {
      schema: schemaOf(id),
      original: schemaOf(original),
      kind,
      changes,
      golds: group.flatMap(({ source, query }) => {
        const gold = goldQueries.get(source);
        return gold === undefined ? [] : [{ original: gold, query }];
      }),
    };
  });
  const originals = new Set(records.map(({ original_db_id: id }) => id));
  const keepStar = manifest.settings['keepStar'] === true;
  return {
    files: filesOf(kind),
    seed: kind.seedOf(manifest),
    originals: [...originals].map(schemaOf),
    variants,
    keepStar,
  };
}
