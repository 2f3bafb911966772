import { renderJsonLines } from '../json-file.js';
import type { OutputFolder, OutputSet } from '../output-set.js';
import { type PromptMessage, type PromptOptions, promptedRows } from './export-row.js';

interface ChatRecord {
  readonly id: string;
  readonly messages: readonly (PromptMessage | { readonly role: 'assistant'; readonly content: string })[];
  /** Fields of the data set's own, where its examples have some. */
  readonly metadata?: unknown;
}

function* renderChats(set: OutputSet, options: PromptOptions): Generator<ChatRecord> {
  for (const { id, messages, query, fields } of promptedRows(set, options)) {
    yield {
      id,
      messages: [...messages, { role: 'assistant', content: query }],
      ...(fields === undefined ? {} : { metadata: JSON.parse(fields) as unknown }),
    };
  }
}

/** `chat/chat.jsonl`: a conversation per line, schema and question in, SQL out, as fine-tuning services read it. */
export function exportChat(set: OutputSet, folder: OutputFolder, options: PromptOptions): void {
  folder.write('chat/chat.jsonl', renderJsonLines(renderChats(set, options)));
}
