import { isFile } from '../regular-file.js';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { InputFormatError } from '../errors.js';
import type { DatasetFormat } from './dataset-formats.js';

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

export const ADVETA_FIX = 'Name the folder of an ADVETA release, with its …rpl….json and …add….json files.';

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
