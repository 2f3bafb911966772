import { existsSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import { ConfigError, InputFormatError, PerturbqlError } from '../../errors.js';
import type { DatasetPaths } from '../../formats/dataset.js';
import { commitFile } from '../../run/durable-file.js';
import { makeFolder } from '../../run/make-folder.js';
import { removeDatabase } from '../../sql/execution/database-files.js';
import type { NameKind } from '../annotation.js';
import { AnnotationProject } from '../project/annotation-project.js';
import { createProject } from '../project/create-project.js';
import type { ItemRecord } from '../project/item-record.js';
import { DEFAULT_SETTINGS } from '../project/project-content.js';
import { requireFreePlace } from '../project/project-file.js';
import type { RecordImportCounts } from '../project/record-store.js';
import { DatasetContexts } from './dataset-contexts.js';
import { exchangeFormat, type ExchangeFormatName } from './exchange-formats.js';
import type { ExchangeSet } from './exchange-set.js';

export interface ImportOptions {
  /** The file to import, or the folder of a format that has several; only read. */
  readonly from: string;
  readonly format: ExchangeFormatName;
  /** Items of this kind alone; what a file of a format with one kind holds. */
  readonly kind: NameKind | null;
  /** File of the project; made where there is none. */
  readonly project: string;
  /** A data set that a new project takes types, rows and questions from; null = the file's own alone. */
  readonly dataset: DatasetPaths | null;
}

/** The outcome of an import. */
export interface ImportSummary extends RecordImportCounts {
  /** True if the project was made for it. */
  readonly created: boolean;
}

function ofKind(set: ExchangeSet, kind: NameKind | null): ExchangeSet {
  if (kind === null) return set;
  const records = function* (): Generator<ItemRecord> {
    for (const record of set.records) if (record.item.kind === kind) yield record;
  };
  return { ...set, records: records() };
}

/** Errors of a project name items; which file they come from is known here. */
function withFile<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const isPlaced = error instanceof InputFormatError && error.where.file !== undefined;
    if (isPlaced || !(error instanceof PerturbqlError)) throw error;
    const { message, fix, where } = error;
    throw new InputFormatError(message, { where: { ...where, file }, fix, cause: error.cause });
  }
}

function readInto(file: string, set: ExchangeSet, from: string): RecordImportCounts {
  const project = AnnotationProject.open(file);
  try {
    return withFile(from, () => project.importRecords(set));
  } finally {
    project.close();
  }
}

/** The records of a set, with what a data set knows of them. */
async function completeRecords(set: ExchangeSet, { dataset, from }: ImportOptions): Promise<readonly ItemRecord[]> {
  if (dataset === null) return [...set.records];
  const contexts = await DatasetContexts.open(dataset);
  try {
    return withFile(from, () => Array.from(set.records, (record) => contexts.complete(record)));
  } finally {
    contexts.close();
  }
}

/** Makes a project of a set: under another name until it is whole. */
async function makeProject(set: ExchangeSet, options: ImportOptions): Promise<RecordImportCounts> {
  const { from, project: file, dataset } = options;
  requireFreePlace(file);
  const records = await completeRecords(set, options);
  if (records.length === 0) {
    throw new InputFormatError('there are no items in it', { where: { file: from }, fix: 'Name a file with items.' });
  }
  const name = basename(file, extname(file));
  const settings = { ...DEFAULT_SETTINGS, name, dataset: dataset?.dataset ?? DEFAULT_SETTINGS.dataset };
  const unfinished = `${file}.importing`;
  makeFolder(dirname(file));
  // What an import that was killed has left: its log would be read into this one.
  removeDatabase(unfinished);
  try {
    withFile(from, () => createProject(unfinished, { items: records }, { settings, people: [] }));
    const counts = readInto(unfinished, { ...set, records }, from);
    commitFile(unfinished, file);
    return { ...counts, newItems: records.length };
  } finally {
    removeDatabase(unfinished);
  }
}

/**
 * Reads annotations into a project, all or nothing; without a project one is made of them. Items and people that the
 * project lacks are added; an answer that is older than the current one is kept as a conflict.
 * @throws InputFormatError naming the file and the place in it that is wrong; AnnotationError when the project is none
 */
export async function importAnnotations(options: ImportOptions): Promise<ImportSummary> {
  const { from, kind, project, dataset } = options;
  const format = await exchangeFormat(options.format);
  if (format.oneKind && kind === null) {
    throw new ConfigError(
      `option --kind is missing: a file of ${options.format} holds one kind and doesn’t say which`,
      {
        fix: 'Give --kind rpl or --kind add.',
      },
    );
  }
  const created = !existsSync(project);
  if (!created && dataset !== null) {
    throw new ConfigError('the project exists, with its tables and questions', {
      where: { file: project },
      fix: 'Leave the data set’s options out, or name a new project.',
    });
  }
  const set = ofKind(format.read(from, kind), format.oneKind ? null : kind);
  const counts = created ? await makeProject(set, options) : readInto(project, set, from);
  return { created, ...counts };
}
