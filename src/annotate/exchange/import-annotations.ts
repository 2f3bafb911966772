import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { ConfigError, InputFormatError, PerturbqlError } from '../../errors.js';
import type { Dataset, DatasetPaths } from '../../formats/dataset.js';
import { commitFile } from '../../run/durable-file.js';
import { makeFolder } from '../../run/output-place.js';
import { removeDatabase } from '../../sql/execution/database-files.js';
import type { AnnotationItem, ItemContext, NameKind } from '../annotation.js';
import { AnnotationProject } from '../project/annotation-project.js';
import { createProject } from '../project/create-project.js';
import type { ItemRecord } from '../project/item-store.js';
import { DEFAULT_SETTINGS } from '../project/project-content.js';
import { requireFreePlace } from '../project/project-file.js';
import type { RecordImportCounts } from '../project/record-store.js';
import { exchangeFormat, type ExchangeFormatName } from './exchange-formats.js';
import type { ExchangeSet } from './exchange-set.js';
import { datasetAdapter, loadDataset } from '../../formats/load-dataset.js';
import type { OwnFields } from '../../formats/output-set.js';
import { ownFieldsOf } from '../../formats/own-fields.js';
import { AdvetaPlaces } from '../../variants/candidates/adveta-places.js';
import { planTables } from '../../variants/candidates/plan-tables.js';
import { spacedName } from '../../schema/name-identity.js';
import { columnKey, type ColumnRef, type Database, placedColumn } from '../../schema/schema.js';
import { foldName } from '../../sql/dialect.js';
import { memoizeObject } from '../../schema/memoize.js';
import { contextColumns, firstRows, questionsByColumn } from '../init/project-items.js';

type Rows = ItemContext['rows'];

interface Found {
  readonly database: Database;
  readonly ref: ColumnRef;
}

/** Fills in what a data set knows of imported items: types, the table's columns and rows, questions. */
export class DatasetContexts {
  readonly #dataset: Dataset;
  readonly #questions: ReturnType<typeof questionsByColumn>;
  readonly #scratch = mkdtempSync(join(tmpdir(), 'perturbql-'));
  readonly #rowsOf = memoizeObject((database: Database): readonly Rows[] =>
    firstRows(this.#dataset, database, this.#scratch),
  );
  #places: AdvetaPlaces | null = null;

  private constructor(dataset: Dataset, fieldsOf: OwnFields) {
    this.#dataset = dataset;
    this.#questions = questionsByColumn({ dataset, fieldsOf, plan: planTables(dataset, 'all') });
  }

  /** @throws ConfigError or InputFormatError when the data set is not there or not of its format */
  static async open(paths: DatasetPaths): Promise<DatasetContexts> {
    const dataset = await loadDataset(paths);
    const { fields } = await datasetAdapter(dataset.format);
    return new DatasetContexts(dataset, ownFieldsOf({ input: dataset }, fields));
  }

  /**
   * The record with what the data set has; what the file tells itself stays.
   * @throws InputFormatError where the data set has no such column
   */
  complete(record: ItemRecord): ItemRecord {
    const { item, context } = record;
    // A question to split has all that it needs with it.
    if (item.kind === 'SPLIT') return record;
    const { database, ref } = this.#find(record);
    const { table, column } = placedColumn(database, ref);
    const questions = this.#questions.get(`${database.id} ${columnKey(ref)}`) ?? [];
    return {
      ...record,
      item: { ...item, table: table.name, type: column.type },
      context: {
        entity: context.entity,
        columns: contextColumns(table.columns),
        rows: context.rows.length > 0 ? context.rows : (this.#rowsOf(database)[ref.table] ?? []),
        questions: context.questions.length > 0 ? context.questions : questions,
      },
    };
  }

  close(): void {
    rmSync(this.#scratch, { recursive: true, force: true });
  }

  #find({ item, context }: ItemRecord): Found {
    const found = this.#named(item) ?? this.#headed(item, context);
    if (found !== null) return found;
    throw new InputFormatError('the data set has no such column', {
      where: { id: item.id },
      fix: 'Name the data set that the annotations are about, or none.',
    });
  }

  #named(item: AnnotationItem): Found | null {
    const database = this.#dataset.databases.get(item.dbId);
    const table = database?.tables.findIndex(({ originalName }) => isSame(originalName, item.tableOriginal)) ?? -1;
    const columns = database?.tables[table]?.columns ?? [];
    const original = columns.findIndex(({ originalName }) => isSame(originalName, item.columnOriginal));
    // Files without original names are told by the natural one, which two columns may share.
    const natural = columns.findIndex(({ name }) => spacedName(name) === spacedName(item.column));
    const column = original >= 0 ? original : natural;
    return database !== undefined && column >= 0 ? { database, ref: { table, column } } : null;
  }

  /** A column of a table that is known by an id and its header alone, as ADVETA's of WikiSQL are. */
  #headed({ dbId, tableOriginal: table, column }: AnnotationItem, { columns }: ItemContext): Found | null {
    this.#places ??= new AdvetaPlaces(this.#dataset.databases, []);
    const place = this.#places.of({ dbId, table, column, header: columns.map(({ name }) => name) });
    if (typeof place === 'string' || place.column === null) return null;
    const at = place.database.tables.indexOf(place.table);
    return { database: place.database, ref: { table: at, column: place.table.columns.indexOf(place.column) } };
  }
}

const isSame = (a: string, b: string): boolean => foldName(a) === foldName(b);

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
  return AnnotationProject.with(file, {}, (project) => withFile(from, () => project.importRecords(set)));
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
    withFile(from, () => createProject(unfinished, records, { settings, people: [] }));
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
