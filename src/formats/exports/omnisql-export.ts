import { renderJsonArray } from '../json-file.js';
import type { OutputFolder, OutputSet } from '../output-set.js';
import { type ExportRow, exportRows, type PromptOptions } from './export-row.js';

/** Fields that data sets have for what a question takes for granted. */
const KNOWLEDGE_FIELDS = ['external_knowledge', 'evidence'];

function knowledgeOf({ fields }: ExportRow): string {
  const own = JSON.parse(fields ?? '{}') as Readonly<Record<string, unknown>>;
  const found = KNOWLEDGE_FIELDS.map((name) => own[name]).find((value) => typeof value === 'string');
  return found ?? '';
}

function* renderExamples(set: OutputSet, { fieldsOf }: PromptOptions): Generator<object> {
  for (const row of exportRows(set, fieldsOf)) {
    const { id, kind, db_id, question, query } = row;
    // OmniSQL trains on `cot`, what a model is to answer; without thoughts, that is the query in a code block.
    const cot = `\`\`\`sql\n${query}\n\`\`\``;
    yield { id, kind, db_id, question, external_knowledge: knowledgeOf(row), cot, sql: query, query };
  }
}

/** `omnisql/data.json`: questions in the form of SynSQL-2.5M, as OmniSQL's and Arctic-Text2SQL's scripts read them next to `tables.json` and `database/`. */
export function exportOmniSql(set: OutputSet, folder: OutputFolder, options: PromptOptions): void {
  folder.write('omnisql/data.json', renderJsonArray(renderExamples(set, options)));
}
