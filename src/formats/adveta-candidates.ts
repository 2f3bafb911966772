import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { InputFormatError } from '../errors.js';
import type { CandidateDecision } from './candidates-file.js';
import { checkRecord, loadText, parseJson } from './json-file.js';

const tableSchema = z.looseObject({
  header: z.array(z.string()).default([]),
  db_id: z.string().optional(),
  table_name_original: z.string().optional(),
  table_id: z.string(),
  dict: z.record(z.string(), z.array(z.string())),
});

/** One human candidate: a table, a column's natural name, a name chosen by annotators. */
export interface AdvetaCandidate {
  readonly dbId: string;
  /** Original table name; the table's id where the set has no databases (WikiSQL). */
  readonly table: string;
  readonly column: string;
  /** The column as the schema writes it, where that is known: a release of ADVETA names candidates by natural name alone. */
  readonly columnOriginal?: string;
  readonly candidate: string;
  readonly bucket: 'RPL' | 'ADD';
}

const FIX = 'Name the folder of an ADVETA release, with its …rpl….json and …add….json files.';

/** A table of ADVETA, by the names that `AdvetaCandidate` has. */
export interface AdvetaTable {
  readonly dbId: string;
  readonly table: string;
  /** Natural names of all its columns. */
  readonly columns: readonly string[];
}

interface ReadTable extends AdvetaTable {
  readonly dict: Readonly<Record<string, readonly string[]>>;
}

function loadTables(file: string): readonly ReadTable[] {
  const json = checkRecord(
    z.record(z.string(), z.unknown()),
    parseJson(loadText(file), file),
    { file, id: 'the file' },
    FIX,
  );
  return Object.entries(json).map(([id, record]) => {
    const table = checkRecord(tableSchema, record, { file, id }, FIX);
    const { db_id: dbId = table.table_id, table_name_original: name = table.table_id, header: columns, dict } = table;
    return { dbId, table: name, columns, dict };
  });
}

/**
 * Loads one ADVETA candidates file.
 * @throws InputFormatError when it is not an object of tables.
 */
export function loadAdvetaFile(file: string, bucket: 'RPL' | 'ADD'): readonly AdvetaCandidate[] {
  return loadTables(file).flatMap(({ dbId, table, dict }) =>
    Object.entries(dict).flatMap(([column, candidates]) =>
      candidates.map((candidate) => ({ dbId, table, column, candidate, bucket })),
    ),
  );
}

/**
 * Loads every ADVETA candidates file of a folder whose name begins with `prefix`.
 * @throws InputFormatError when the folder has none.
 */
export function loadAdvetaFolder(folder: string, prefix: string): readonly AdvetaCandidate[] {
  return filesOf(folder, prefix).flatMap(({ file, bucket }) => loadAdvetaFile(file, bucket));
}

/**
 * Loads the tables that those files are about, each once, those without candidates too.
 * @throws InputFormatError when the folder has none.
 */
export function loadAdvetaTables(folder: string, prefix: string): readonly AdvetaTable[] {
  const tables = filesOf(folder, prefix).flatMap(({ file }) => loadTables(file));
  return [...new Map(tables.map((table) => [JSON.stringify([table.dbId, table.table]), table])).values()];
}

function filesOf(folder: string, prefix: string): readonly { readonly file: string; readonly bucket: 'RPL' | 'ADD' }[] {
  const names = listFolder(folder).filter((name) => name.startsWith(prefix) && name.endsWith('.json'));
  const files = names.flatMap((name) => {
    const bucket = /rpl/i.test(name) ? 'RPL' : /add/i.test(name) ? 'ADD' : null;
    return bucket === null ? [] : [{ file: join(folder, name), bucket } as const];
  });
  if (files.length > 0) return files;
  throw new InputFormatError(`the folder has no ${prefix}…rpl….json or ${prefix}…add….json`, {
    where: { file: folder },
    fix: FIX,
  });
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (cause) {
    throw new InputFormatError('the folder can’t be read', { where: { file: folder }, cause, fix: FIX });
  }
}

/** A human candidate as a decision without scores, about a table of the schema. */
export function toDecision(
  candidate: AdvetaCandidate,
  table: { readonly name: string; readonly originalName: string },
): CandidateDecision {
  const { columnOriginal } = candidate;
  return {
    db_id: candidate.dbId,
    table: table.name,
    table_original: table.originalName,
    column: candidate.column,
    ...(columnOriginal === undefined ? {} : { column_original: columnOriginal }),
    bucket: candidate.bucket,
    reason: 'annotated',
    candidate: candidate.candidate,
    source: 'annotation',
    origin: null,
    similarity: null,
    association: null,
    e1: null,
    e2: null,
    against: null,
    near: false,
  };
}
