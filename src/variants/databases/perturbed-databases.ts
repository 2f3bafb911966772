import { existsSync, statfsSync, statSync } from 'node:fs';
import { ConfigError } from '../../errors.js';
import type { CandidateDecision } from '../../formats/artifacts/candidates.js';
import { databaseOf, type Dataset } from '../../formats/dataset.js';
import { isOriginal, type OutputSchema } from '../../formats/output-set.js';
import { sqlitePath } from '../../formats/sample-values.js';
import { itemAt } from '../../present.js';
import { countNoun } from '../../counts.js';
import { writeDurably } from '../../run/durable-file.js';
import type { RunHost } from '../../run/run-host.js';
import { materializeCopy } from './copy/materialize-copy.js';
import type { DatabaseChange, MaterializeMode } from './database-change.js';
import { sqliteBytes } from './own-files.js';
import {
  databasePath,
  scriptPath,
  type SourceDatabase,
  type UnwrittenDatabase,
  writeVariants,
  type WrittenVariant,
} from './write-variants.js';
import type { ColumnChange } from '../relations/names/draw-perturbation.js';
import { renderViewScript } from './view-script.js';

/** A schema to be materialized; the originals have no changes. */
export interface MaterializedSchema extends OutputSchema {
  readonly changes: readonly ColumnChange[];
}

export interface MaterializeRequest {
  readonly dataset: Dataset;
  readonly schemas: readonly MaterializedSchema[];
  readonly mode: Exclude<MaterializeMode, 'none'>;
  /** The input's folder of databases. */
  readonly databases: string | null;
  /** Folder of the run; databases go below `database/`. */
  readonly out: string;
  readonly seed: number;
  /** Sample values of the retrieved column that a candidate comes from. */
  readonly sourceValues: (decision: CandidateDecision) => readonly string[];
}

/** Seed of the values in added columns where inputs of attacks are prepared: the same under every seed of an attack. */
export const INPUT_VALUES_SEED = 0;

/** A script that only renames. */
const SCRIPT_BYTES = 4096;

/** Checks whether a schema's database is a script over its original. */
function isScript({ mode }: MaterializeRequest, schema: OutputSchema): boolean {
  return mode === 'views' && !isOriginal(schema);
}

/** The file that a schema's database is written to. */
function targetOf(request: MaterializeRequest, output: OutputSchema): string {
  const path = isScript(request, output) ? scriptPath : databasePath;
  return path(request.out, output.schema.id);
}

/** Views are played over the input's own file, unless that is not one that a later command can find. */
function isWritten({ mode, databases }: MaterializeRequest, schema: MaterializedSchema): boolean {
  const isFound = databases !== null && existsSync(sqlitePath(databases, schema.origin));
  return !isOriginal(schema) || mode === 'copy' || !isFound;
}

/** A copy takes the original's room; a script has a line of values per row that an added column gets. */
function bytesOf({ mode, dataset }: MaterializeRequest, { changes, origin }: MaterializedSchema): number {
  const isCopied = mode === 'copy' || changes.length === 0 || changes.some(({ kind }) => kind === 'ADD');
  return isCopied ? sqliteBytes(dataset, origin) : SCRIPT_BYTES;
}

function variantOf(request: MaterializeRequest, schema: MaterializedSchema): WrittenVariant {
  const { dataset, seed, sourceValues } = request;
  const { origin } = schema;
  const { id } = schema.schema;
  const original = databaseOf(dataset, origin);
  const values = { seed, sourceValues: ({ decision }: ColumnChange) => sourceValues(decision) };
  const change = (source: SourceDatabase): DatabaseChange => source.changeTo(original, schema, schema.changes, values);
  const write: WrittenVariant['write'] = isScript(request, schema)
    ? (source, file) => {
        const header = { variant: id, database: origin, sha256: source.sha256 };
        writeDurably(file, renderViewScript(source.open(), change(source), header));
      }
    : (source, file) => materializeCopy(source.file, file, change(source));
  return { id, origin, file: targetOf(request, schema), write };
}

/** Further files of a run of databases, and what is said of it. */
interface WritingNotes {
  /** Before and after the number of databases. */
  readonly before?: string;
  readonly after?: string;
  /** Files that are copied afterwards. */
  readonly copied?: readonly string[];
}

/**
 * Writes the databases of a perturbed data set (ADVETA ships none) that are not there yet, after saying what they need:
 * each is whole or absent, and equal from run to run. One that can't be made is named with its reason.
 * @throws ConfigError when the disk has too little room; InputFormatError when an original can't be read
 */
export function writePerturbedDatabases(
  request: MaterializeRequest,
  { before = '', after = '', copied = [] }: WritingNotes,
  host: RunHost,
): readonly UnwrittenDatabase[] {
  const { dataset, out } = request;
  const schemas = request.schemas.filter((schema) => isWritten(request, schema));
  const missing = schemas.filter((one) => dataset.hasRows(one.origin) && !existsSync(targetOf(request, one)));
  const sizes = [...missing.map((schema) => bytesOf(request, schema)), ...copied.map((file) => statSync(file).size)];
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  host.note(`${before}writing ${countNoun(sizes.length, 'database')}${after}${renderAtMost(bytes)}`);
  checkSpace(out, bytes);
  const written = schemas.map((schema) => variantOf(request, schema));
  return writeVariants(request, written, host);
}

/** @throws ConfigError when the disk has less room than databases need, in bytes */
function checkSpace(out: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(out);
  if (bytes <= bavail * bsize) return;
  throw new ConfigError(`the databases need ${renderBytes(bytes)}, but only ${renderBytes(bavail * bsize)} are free`, {
    where: { file: out },
    fix: 'Free space, or give --materialize views or none.',
  });
}

/** `12.3 MB`. */
export function renderBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${itemAt(units, power)}`;
}

/** Renders the maximum size of databases, after their number; nothing if no size is known, as for generated rows. */
function renderAtMost(bytes: number): string {
  return bytes === 0 ? '' : `, at most ${renderBytes(bytes)}`;
}
