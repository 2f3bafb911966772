import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InputFormatError } from '../../errors.js';
import type { Dataset, DatasetPaths } from '../../formats/dataset.js';
import { datasetAdapter, loadDataset } from '../../formats/load-dataset.js';
import type { OwnFields } from '../../formats/output-set.js';
import { ownFieldsOf } from '../../formats/own-fields.js';
import { AdvetaPlaces } from '../../variants/candidates/adveta-places.js';
import { planTables } from '../../variants/candidates/plan-tables.js';
import { spacedName } from '../../schema/name-identity.js';
import { columnKey, type ColumnRef, type Database, placedColumn } from '../../schema/schema.js';
import { foldName } from '../../sql/dialect.js';
import type { AnnotationItem, ItemContext } from '../annotation.js';
import { contextColumns } from '../init/context-columns.js';
import { firstRows } from '../init/first-rows.js';
import { questionsByColumn } from '../init/project-items.js';
import type { ItemRecord } from '../project/item-record.js';

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
  readonly #rows = new Map<string, readonly Rows[]>();
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

  #rowsOf(database: Database): readonly Rows[] {
    const rows = this.#rows.get(database.id) ?? firstRows(this.#dataset, database, this.#scratch);
    this.#rows.set(database.id, rows);
    return rows;
  }
}

const isSame = (a: string, b: string): boolean => foldName(a) === foldName(b);
