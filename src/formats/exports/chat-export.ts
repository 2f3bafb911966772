import type { SqlDialect } from '../../sql/dialect.js';
import { renderJsonLines } from '../json-output.js';
import type { OutputFolder, OutputSet, OwnFields } from '../output-set.js';
import { exportRows } from './export-row.js';
import { fillTemplate, type PromptTemplate } from './prompt-template.js';

/** Names of dialects as people write them. */
const DIALECT_TITLES: Readonly<Record<SqlDialect['name'], string>> = {
  sqlite: 'SQLite',
  mysql: 'MySQL',
  postgresql: 'PostgreSQL',
};

interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

interface ChatRecord {
  readonly id: string;
  readonly messages: readonly ChatMessage[];
  /** Fields of the data set's own, where its examples have some. */
  readonly metadata?: unknown;
}

function* renderChats(set: OutputSet, { system, user }: PromptTemplate, fieldsOf: OwnFields): Generator<ChatRecord> {
  for (const { id, schema, question, query, fields } of exportRows(set, fieldsOf)) {
    const values = { schema, question, dialect: DIALECT_TITLES[set.input.dialect.name] };
    const messages: ChatMessage[] = [
      ...(system === null ? [] : [{ role: 'system' as const, content: fillTemplate(system, values) }]),
      { role: 'user', content: fillTemplate(user, values) },
      { role: 'assistant', content: query },
    ];
    yield { id, messages, ...(fields === undefined ? {} : { metadata: JSON.parse(fields) as unknown }) };
  }
}

/** `chat/chat.jsonl`: a conversation per line, schema and question in, SQL out, as fine-tuning services read it. */
export function exportChat(
  set: OutputSet,
  folder: OutputFolder,
  { template, fieldsOf }: { readonly template: PromptTemplate; readonly fieldsOf: OwnFields },
): void {
  folder.write('chat/chat.jsonl', renderJsonLines(renderChats(set, template, fieldsOf)));
}
