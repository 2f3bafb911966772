import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { VERSION } from '../../version.js';

/** A field of a row: text, a whole number, a record of fields, or a list of records. */
export type ParquetField = 'text' | 'int' | { readonly [name: string]: ParquetField } | readonly [ParquetField];

/** Rows per row group: so many are in memory at a time, and readers stream a file group by group. */
const ROWS_PER_GROUP = 1_000;

function elementsOf(name: string, field: ParquetField): SchemaElement[] {
  const required = { name, repetition_type: 'REQUIRED' } as const;
  if (field === 'text') return [{ ...required, type: 'BYTE_ARRAY', converted_type: 'UTF8' }];
  if (field === 'int') return [{ ...required, type: 'INT64' }];
  if (Array.isArray(field)) {
    const [item] = field as readonly [ParquetField];
    const list = { name: 'list', repetition_type: 'REPEATED', num_children: 1 } as const;
    return [{ ...required, num_children: 1, converted_type: 'LIST' }, list, ...elementsOf('element', item)];
  }
  const fields = Object.entries(field as { readonly [name: string]: ParquetField });
  return [{ ...required, num_children: fields.length }, ...fields.flatMap((inner) => elementsOf(...inner))];
}

/** Bytes written since they were last taken. */
class ChunkWriter extends ByteWriter {
  take(): Uint8Array {
    const bytes = this.getBytes().slice();
    this.index = 0;
    return bytes;
  }
}

/** A Parquet file of rows, piece by piece; memory does not grow with their number. */
export function* parquetChunks<Row extends object>(
  rows: Iterable<Row>,
  fields: { readonly [Name in keyof Row & string]?: ParquetField },
): Generator<Uint8Array> {
  const names = Object.keys(fields) as (keyof Row & string)[];
  const writer = new ChunkWriter();
  const parquet = new ParquetWriter({
    writer,
    schema: elementsOf('root', fields as Readonly<Record<string, ParquetField>>),
    createdBy: `perturbql ${VERSION}`,
  });
  let group: Row[] = [];
  const takeGroup = (): Uint8Array => {
    const columnData = names.map((name) => ({ name, data: group.map((row) => row[name]) }));
    void parquet.write({ columnData, rowGroupSize: ROWS_PER_GROUP });
    group = [];
    return writer.take();
  };
  for (const row of rows) {
    group.push(row);
    if (group.length === ROWS_PER_GROUP) yield takeGroup();
  }
  if (group.length > 0) yield takeGroup();
  void parquet.finish();
  yield writer.take();
}
