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
import type { OutputSchema } from '../../formats/output-set.js';
import { recordedPositions } from '../../variants/augment/provenance.js';
import { addedColumns, addedNames, renamedColumns, renamesOf } from '../../variants/databases/plan-change.js';
import type { SourceValues } from '../../variants/databases/source-values.js';
import { itemAt, zip } from '../../present.js';
import { SQLITE } from '../../sql/dialect.js';
import { rewriteVariant } from '../../sql/rename-columns.js';
import type { SuiteChange, TransferredAddition } from './suite-change.js';

/** The remedy if a folder is no run that a suite is transferred to. */
const RUN_FIX =
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

const positionsOf = ({ schema, original, kind, changes }: RunVariant): OutputSchema['columns'] =>
  recordedPositions(original, schema, kind, changes);

/**
 * Checks whether the positions are those of all the original's columns, in their order: what was not perturbed still
 * stands.
 */
function fits({ schema, original }: RunVariant, positions: OutputSchema['columns']): boolean {
  if (positions.length !== original.tables.length) return false;
  return zip(original.tables, zip(schema.tables, positions)).every(([{ columns }, [table, own]]) => {
    const kept = own.filter((position) => position !== null);
    if (kept.length !== columns.length || kept.some((position, i) => position !== i)) return false;
    // No new name is one that the table has already: a column with one of them has to be that one.
    const names = columns.map(({ originalName }) => originalName);
    return zip(table.columns, own).every(
      ([{ originalName }, position]) =>
        position === null || names[position] === originalName || !names.includes(originalName),
    );
  });
}

function additionsOf(
  { schema, original, changes }: RunVariant,
  columns: OutputSchema['columns'],
  sources: SourceValues,
): readonly TransferredAddition[] {
  return addedColumns(original, { schema, columns }).map(({ table, column, before }) => {
    const { name: words, originalName: name, type } = column;
    const change = changes.find((one) => one.table === table && one.identifier === name);
    const own = original.tables.find(({ originalName }) => originalName === table)?.columns ?? [];
    const target = change?.column ?? itemAt(own, 0).originalName;
    return { table, name, words, type, before, target, sourceValues: [...sources.of(change?.origin ?? null)] };
  });
}

/**
 * Returns the changes that turn a suite's databases into a variant's.
 * @throws InputFormatError where the variant is more than its original with columns renamed or added
 */
export function planSuiteChange(variant: RunVariant, sources: SourceValues, seed: number): SuiteChange {
  const { schema, original } = variant;
  const columns = positionsOf(variant);
  if (!fits(variant, columns)) {
    throw new InputFormatError(`the schema is not ${original.id} with columns renamed or added`, {
      where: { id: schema.id },
      fix: RUN_FIX,
    });
  }
  return {
    renames: renamedColumns(original, { schema, columns }).map((rename) => ({ ...rename })),
    additions: [...additionsOf(variant, columns, sources)],
    seed,
  };
}

/**
 * Rewrites queries on an original for a variant of it, as the run rewrote its gold.
 * @returns a function that throws SqlRewriteError where a query can't keep its meaning
 */
export function variantRewriter(variant: RunVariant, keepStars: boolean): (sql: string) => string {
  const { schema, original, kind } = variant;
  const changed = { schema, columns: positionsOf(variant) };
  const [renames, added] = [renamesOf(original, changed), addedNames(original, changed)];
  const change = { renames, added, keepStars: keepStars && kind !== 'RPL' };
  return (sql) => rewriteVariant(sql, original, change, SQLITE).sql;
}
