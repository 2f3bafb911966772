import type { DatasetFormat } from '../dataset-formats.js';

/** Field names for a text about the schema that goes with a question, in Spider's form and in question files. */
const COMMON = ['evidence', 'external_knowledge', 'knowledge', 'hint'] as const;

/** Fields of a format's question records that are texts about the schema: they follow a rename. */
export const RECORD_TEXTS: Readonly<Partial<Record<DatasetFormat, readonly string[]>>> = {
  spider: COMMON,
  bird: ['evidence'],
  sqlite: COMMON,
  csv: COMMON,
  postgresql: COMMON,
  mysql: COMMON,
};

/** Fields of a record of `tables.json` that are texts about the schema, KaggleDBQA's for instance. */
export const TABLE_TEXTS = ['column_descriptions', 'table_descriptions'] as const;
