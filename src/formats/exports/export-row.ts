import { renderCreateTables } from '../../schema/create-tables.js';
import type { OutputKind, OutputSet } from '../output-set.js';

/** One question with its SQL on one schema, on its own: what trainers read who know no `tables.json`. */
export interface ExportRow {
  /** Distinct in the data set: the source's id, and the kind of a variant: "dev:17__rpl". */
  readonly id: string;
  /** Id of the example in the input. */
  readonly source_id: string;
  readonly kind: OutputKind;
  readonly db_id: string;
  readonly original_db_id: string;
  readonly question: string;
  readonly query: string;
  /** Gold SQL of the original. */
  readonly original_query: string;
  /** The tables as CREATE TABLE statements. */
  readonly schema: string;
}

/** The rows of a data set, in its order. */
export function* exportRows(set: OutputSet): Generator<ExportRow> {
  const schemas = new Map<string, string>();
  for (const { source, kind, schema, query } of set.examples()) {
    const { id } = schema.schema;
    let text = schemas.get(id);
    if (text === undefined) schemas.set(id, (text = renderCreateTables(schema.schema)));
    yield {
      id: kind === 'original' ? source.id : `${source.id}__${kind.toLowerCase()}`,
      source_id: source.id,
      kind,
      db_id: id,
      original_db_id: source.dbId,
      question: source.question,
      query,
      original_query: source.query,
      schema: text,
    };
  }
}
