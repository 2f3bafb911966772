import { readFileSync } from 'node:fs';
import { mustGet } from '../../present.js';
import { parseCsv } from '../csv-text.js';
import { loadText } from '../json-file.js';
import type { OutputFolder, OutputSchema, OutputSet } from '../output-set.js';
import { renderJsonArray } from '../json-output.js';
import { buildSqliteBytes } from '../sqlite-builder.js';
import { createVariantIds } from '../variant-ids.js';
import type { SquallDataset, SquallSource } from './squall-dataset.js';
import { isUnchanged, layoutOf, type SquallLayout } from './squall-layout.js';
import { moveRecord } from './squall-record-output.js';
import type { SquallRecord } from './squall-record.js';
import { toSqliteTables } from './squall-schema.js';
import { readSquallTable, WTQ_CSV, wtqPath } from './squall-table.js';
import { moveTable, readAddedCells, renderWtqTable } from './squall-table-output.js';

const sourceOf = (set: OutputSet, { origin }: OutputSchema): SquallSource =>
  mustGet((set.input as SquallDataset).sources.get(origin), '(set.input as SquallDataset).sources.get()');

interface MovedTable {
  readonly source: SquallSource;
  readonly layout: SquallLayout;
  readonly id: string;
  /** SQLite file with the cells of added columns; null where there are none. */
  readonly file: string | null;
}

function writeJsonTable({ source, layout, id, file }: MovedTable, folder: OutputFolder): void {
  const record = readSquallTable(source.source);
  const moved = isUnchanged(layout) ? record : moveTable(record, layout, readAddedCells(layout, file));
  const bytes = isUnchanged(layout) ? readFileSync(source.source.file) : JSON.stringify(moved);
  folder.write(`squall/tables/json/${id}.json`, [bytes]);
  folder.write(`squall/tables/db/${id}.db`, [buildSqliteBytes(toSqliteTables(moved, ({ col }) => col))]);
}

function writeWtqTable({ source, layout, id, file }: MovedTable, folder: OutputFolder): void {
  const path = source.source.file;
  const text = isUnchanged(layout)
    ? [readFileSync(path)]
    : renderWtqTable(parseCsv(loadText(path), path, WTQ_CSV), layout, readAddedCells(layout, file));
  folder.write(`squall/csv/${wtqPath(id)}`, text);
}

function* renderRecords(set: OutputSet): Generator<SquallRecord> {
  const idOf = createVariantIds(set.input);
  let layout: (SquallLayout & { readonly id: string }) | null = null;
  for (const example of set.examples()) {
    const { id } = example.schema.schema;
    // Variants of one table follow one another.
    if (layout === null || layout.id !== id)
      layout = { id, ...layoutOf(sourceOf(set, example.schema), example.schema) };
    yield moveRecord(example.source.record as SquallRecord, layout, idOf(example), id);
  }
}

/**
 * Writes SQUALL's files back: `squall/data/squall.json`, and per table `squall/tables/json` and `squall/tables/db`, or
 * `squall/csv` where the input is WikiTableQuestions'. A variant's tokens name columns by their new numbers.
 */
export function writeSquall(set: OutputSet, folder: OutputFolder): void {
  for (const output of set.schemas) {
    const source = sourceOf(set, output);
    const write = source.source.kind === 'json' ? writeJsonTable : writeWtqTable;
    const layout = layoutOf(source, output);
    const hasAdded = layout.headers.some(({ from }) => from === null);
    const { id } = output.schema;
    write({ source, layout, id, file: hasAdded ? set.sqliteFile(id) : null }, folder);
  }
  folder.write('squall/data/squall.json', renderJsonArray(renderRecords(set)));
}
