// Writes tables as the product does before it embeds them, so that the encoder learns exactly the texts it will read.
// JSONL in, one JSON string a line out; run by table_data.py. Needs `npm run build`.
import { createInterface } from 'node:readline';
import { createReadTable } from '../dist/retriever/corpus-reader.js';
import { renderCorpusTable, renderTargetQuery } from '../dist/retriever/table-context.js';
import { naturalHeaders } from '../dist/schema/natural-name.js';

/** `{ title, columns, rows }`: the text of a table of the index. */
function writeCorpus({ title, columns, rows }) {
  return renderCorpusTable(createReadTable({ id: '', title, headers: columns, rows }, '').table);
}

/** `{ domain, title, columns, rows, questions, target: true }`: the query of a table that is to be perturbed. */
function writeTarget({ domain, title, columns, rows, questions }) {
  const named = naturalHeaders(columns).map((name) => ({ name }));
  const values = columns.map((_, column) => rows.map((row) => row[column] ?? ''));
  return renderTargetQuery({ dbId: domain, table: { name: title, originalName: title, columns: named }, questions, values });
}

for await (const line of createInterface({ input: process.stdin })) {
  const record = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(record.target ? writeTarget(record) : writeCorpus(record))}\n`);
}
