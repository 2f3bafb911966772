import type { SqlDialect } from '../../sql/dialect.js';
import type { OutputSet, OwnFields } from '../output-set.js';
import { type ExportRow, exportRows } from './export-row.js';
import { fillPrompt, type PromptTemplate } from './prompt-template.js';

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
