import { z } from 'zod';
import { ADVETA_FIX, advetaFilesOf, type AdvetaSet } from './adveta-release.js';
import type { CandidateDecision } from './artifacts/candidates.js';
import { checkRecord, loadText, parseJson } from './json-file.js';

const tableSchema = z.looseObject({
  header: z.array(z.string()).default([]),
  db_id: z.string().optional(),
  table_name_original: z.string().optional(),
  // The id of the data set's own, in sets of single tables.
  id: z.unknown().optional(),
  table_id: z.string().optional(),
  dict: z.record(z.string(), z.array(z.string())),
});

/** One human candidate: a table, a column's natural name, a name chosen by annotators. */
export interface AdvetaCandidate {
  readonly dbId: string;
  /** Original table name; the same as `dbId` where the set has no databases (WikiSQL, WTQ): the table's id. */
  readonly table: string;
  readonly column: string;
  /**
   * The column as the schema writes it, where that is known: a release of ADVETA names candidates by natural name
   * alone.
   */
  readonly columnOriginal?: string;
  readonly candidate: string;
  readonly bucket: 'RPL' | 'ADD';
  /** The file's other names for a table without database: its ids, and the names of all its columns. */
  readonly otherIds?: readonly string[];
  readonly header?: readonly string[];
}

/** A table of ADVETA, by the names that `AdvetaCandidate` has. */
export interface AdvetaTable {
  readonly dbId: string;
  readonly table: string;
  /** Natural names of all its columns. */
  readonly columns: readonly string[];
}

interface ReadTable {
  readonly place: Pick<AdvetaCandidate, 'dbId' | 'table' | 'otherIds' | 'header'>;
  readonly columns: readonly string[];
  readonly dict: Readonly<Record<string, readonly string[]>>;
}

/** A table of ADVETA's files; fields that perturbql does not know may be ids. */
export type AdvetaRecord = z.infer<typeof tableSchema>;

/** Returns a record's names for its table, each once; the first is the table's id in its own data set. */
function idsOf(key: string, record: AdvetaRecord): readonly string[] {
  const texts = [record.db_id, record.id, record.table_id, key, ...Object.values(record)];
  return [...new Set(texts.filter((text): text is string => typeof text === 'string' && text !== ''))];
}

/** Returns a record's place for its table: one without database gets an id, and its other names, too. */
export function advetaPlace(key: string, record: AdvetaRecord): ReadTable['place'] {
  const { db_id: dbId, table_name_original: table, header } = record;
  if (dbId !== undefined && table !== undefined) return { dbId, table };
  const [id = key, ...otherIds] = idsOf(key, record);
  return {
    dbId: id,
    table: id,
    ...(otherIds.length === 0 ? {} : { otherIds }),
    ...(header.length === 0 ? {} : { header }),
  };
}

function loadTables(file: string): readonly ReadTable[] {
  const json = checkRecord(
    z.record(z.string(), z.unknown()),
    parseJson(loadText(file), file),
    { file, id: 'the file' },
    ADVETA_FIX,
  );
  return Object.entries(json).map(([id, record]) => {
    const table = checkRecord(tableSchema, record, { file, id }, ADVETA_FIX);
    return { place: advetaPlace(id, table), columns: table.header, dict: table.dict };
  });
}

/**
 * Loads one ADVETA candidates file.
 * @throws InputFormatError when it is not an object of tables.
 */
export function loadAdvetaFile(file: string, bucket: 'RPL' | 'ADD'): readonly AdvetaCandidate[] {
  return loadTables(file).flatMap(({ place, dict }) =>
    Object.entries(dict).flatMap(([column, candidates]) =>
      candidates.map((candidate) => ({ ...place, column, candidate, bucket })),
    ),
  );
}

/**
 * Loads every ADVETA candidates file of one set in a folder, or one file.
 * @throws InputFormatError when the folder has none.
 */
export function loadAdvetaFolder(folder: string, set: AdvetaSet): readonly AdvetaCandidate[] {
  return advetaFilesOf(folder, set).flatMap(({ file, bucket }) => loadAdvetaFile(file, bucket));
}

/**
 * Loads the tables that those files are about, each once, those without candidates too.
 * @throws InputFormatError when the folder has none.
 */
export function loadAdvetaTables(folder: string, set: AdvetaSet): readonly AdvetaTable[] {
  const tables = advetaFilesOf(folder, set).flatMap(({ file }) => loadTables(file));
  const named = tables.map(({ place: { dbId, table }, columns }) => ({ dbId, table, columns }));
  return [...new Map(named.map((one) => [JSON.stringify([one.dbId, one.table]), one])).values()];
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
