import { renderCreateTables } from '../../schema/create-tables.js';
import type { OutputKind, OutputSet } from '../output-set.js';
import { createVariantIds } from '../variant-ids.js';

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
  const idOf = createVariantIds(set.input);
  for (const example of set.examples()) {
    const { source, kind, schema, query } = example;
    const { id } = schema.schema;
    let text = schemas.get(id);
    if (text === undefined) schemas.set(id, (text = renderCreateTables(schema.schema)));
    yield {
      id: idOf(example),
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
