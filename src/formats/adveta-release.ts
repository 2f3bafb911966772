import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { isFile } from '../regular-file.js';
import { InputFormatError } from '../errors.js';
import type { DatasetFormat } from './dataset-formats.js';
import type { CandidateDecision } from './artifacts/candidates.js';
import { checkRecord, loadText, parseJson } from './json-file.js';

/** The data sets that ADVETA perturbs (§3), in the order of its Table 1. */
export const ADVETA_SETS = ['spider', 'wtq', 'wikisql'] as const;
export type AdvetaSet = (typeof ADVETA_SETS)[number];

/** Patterns in the file names of each set; only SQUALL has SQL for WikiTableQuestions, so its lists may be named so. */
const SET_NAMES: Readonly<Record<AdvetaSet, RegExp>> = {
  spider: /(?<![a-z])spider/iu,
  wtq: /(?<![a-z])(?:wtq|squall|wikitablequestions)/iu,
  wikisql: /(?<![a-z])wikisql/iu,
};

/** The format that the tables of a set are read in. */
export const SET_FORMATS = {
  spider: 'spider',
  wtq: 'squall',
  wikisql: 'wikisql',
} as const satisfies Record<AdvetaSet, DatasetFormat>;

/** A file of candidates. */
export interface AdvetaFile {
  readonly file: string;
  readonly bucket: 'RPL' | 'ADD';
  /** Null where its name has none. */
  readonly set: AdvetaSet | null;
}

const ADVETA_FIX = 'Name the folder of an ADVETA release, with its …rpl….json and …add….json files.';

/** The set whose tables a data set has: its own, else Spider's, whose databases come in several formats. */
export function advetaSetOf(format: DatasetFormat): AdvetaSet {
  return ADVETA_SETS.find((set) => SET_FORMATS[set] === format) ?? 'spider';
}

function toFile(file: string): readonly AdvetaFile[] {
  const name = basename(file);
  const bucket = /rpl/i.test(name) ? 'RPL' : /add/i.test(name) ? 'ADD' : null;
  const set = ADVETA_SETS.find((one) => SET_NAMES[one].test(name)) ?? null;
  return bucket === null || !/\.json$/i.test(name) ? [] : [{ file, bucket, set }];
}

function fileAlone(file: string): readonly AdvetaFile[] {
  const files = toFile(file);
  if (files.length > 0) return files;
  throw new InputFormatError('the name of the file says neither rpl nor add', {
    where: { file },
    fix: 'Call it …rpl….json or …add….json by what it holds, as the release does, or name the folder.',
  });
}

function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (cause) {
    throw new InputFormatError('the folder can’t be read', { where: { file: folder }, cause, fix: ADVETA_FIX });
  }
}

/**
 * All files of candidates in a release: those of a folder, by name, or one file.
 * @throws InputFormatError when the folder can't be read, or the file's name does not say what it holds
 */
export function listAdvetaFiles(path: string): readonly AdvetaFile[] {
  if (isFile(path)) return fileAlone(path);
  return listFolder(path).flatMap((name) => toFile(join(path, name)));
}

/**
 * The files of one set in a release; a file that is named itself is taken whatever its name says.
 * @throws InputFormatError when there is none
 */
export function advetaFilesOf(path: string, set: AdvetaSet): readonly AdvetaFile[] {
  const all = listAdvetaFiles(path);
  const files = all.filter((one) => one.set === set || one.file === path);
  if (files.length > 0) return files;
  const there = ADVETA_SETS.filter((one) => all.some((file) => file.set === one));
  throw new InputFormatError(`the folder has no ${set}…rpl….json or ${set}…add….json`, {
    where: { file: path },
    fix:
      there.length === 0
        ? ADVETA_FIX
        : `It has those of ${there.join(', ')}: give --dataset ${there.map((one) => SET_FORMATS[one]).join(' or ')} with its tables, or name the folder with those of ${set}.`,
  });
}

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
interface AdvetaTable {
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
type AdvetaRecord = z.infer<typeof tableSchema>;

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
