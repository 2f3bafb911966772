import { LRUCache } from 'lru-cache';
import { getOrMake } from '../../present.js';
import type { Database } from '../../schema/schema.js';
import { renderCreateTables } from '../../sql/create-tables.js';
import { declaredTypes } from '../read-sqlite-schema.js';
import type { OutputKind, OutputSet, OwnFields } from '../output-set.js';
import { createVariantIds } from '../variant-ids.js';
import type { SqlDialect } from '../../sql/dialect.js';
import { fillPrompt, type PromptTemplate } from './prompt-template.js';

/** One question with its SQL on one schema, on its own: what trainers read who know no `tables.json`. */
export interface ExportRow {
  /** Distinct in the data set: the source's id, and the kind of a variant: "dev:17__rpl"; a mutant's own. */
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
  /** Fields of the data set's own, as a JSON object; absent where no example has any. */
  readonly fields?: string;
}

/** Checks whether an example of a data set has fields of its own. */
function hasOwnFields(set: OutputSet, fieldsOf: OwnFields): boolean {
  for (const example of set.examples('original')) {
    if (example.kind === 'original' && Object.keys(fieldsOf(example, set.input)).length > 0) return true;
  }
  return false;
}

/** Schemas whose text is kept. */
const KEPT_SCHEMAS = 256;

/** A schema as CREATE TABLE statements, with the types that its database declares, where it has one. */
function renderSchema(set: OutputSet, schema: Database): string {
  return renderCreateTables(schema, declaredTypes(set.sqliteFile(schema.id), schema), set.input.dialect);
}

/** The rows of a data set, in its order, or those of one kind; `fieldsOf` gives the data set's own fields. */
export function* exportRows(set: OutputSet, fieldsOf: OwnFields, only?: OutputKind): Generator<ExportRow> {
  const hasFields = hasOwnFields(set, fieldsOf);
  // Variants of one schema are together; of the originals', few are in use at a time.
  const schemas = new LRUCache<string, string>({ max: KEPT_SCHEMAS });
  const idOf = createVariantIds(set.input);
  for (const example of set.examples(only)) {
    const { source, kind, schema, query } = example;
    if (only !== undefined && kind !== only) continue;
    const { id } = schema.schema;
    const text = getOrMake(schemas, id, () => renderSchema(set, schema.schema));
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
      ...(hasFields ? { fields: JSON.stringify(fieldsOf(example, set.input)) } : {}),
    };
  }
}

/** Names of dialects as people write them. */
const DIALECT_TITLES: Readonly<Record<SqlDialect['name'], string>> = {
  sqlite: 'SQLite',
  mysql: 'MySQL',
  postgresql: 'PostgreSQL',
};

/** A message to a chat model. */
export interface PromptMessage {
  readonly role: 'system' | 'user';
  readonly content: string;
}

/** A question with its prompt. */
export interface PromptedRow extends ExportRow {
  /** The system's message, where the template has one, and the user's. */
  readonly messages: readonly PromptMessage[];
}

/** How rows are prompted. */
export interface PromptOptions {
  readonly template: PromptTemplate;
  readonly fieldsOf: OwnFields;
}

/** The rows of a data set with their prompts, in its order. */
export function* promptedRows(set: OutputSet, { template, fieldsOf }: PromptOptions): Generator<PromptedRow> {
  const dialect = DIALECT_TITLES[set.input.dialect.name];
  for (const row of exportRows(set, fieldsOf)) {
    const values = { schema: row.schema, question: row.question, dialect };
    const { system, user } = fillPrompt(template, values);
    const messages: PromptMessage[] = [{ role: 'user', content: user }];
    if (system !== null) messages.unshift({ role: 'system', content: system });
    yield { ...row, messages };
  }
}

/** The text of one role's message; null where there is none. */
export function messageOf({ messages }: PromptedRow, role: PromptMessage['role']): string | null {
  return messages.find((message) => message.role === role)?.content ?? null;
}
