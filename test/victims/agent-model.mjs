// Executes the lines of its question as queries, and answers with the address and what came back as a string of SQL.
/* global fetch */
import { createInterface } from 'node:readline';

async function execute(url, sql) {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify({ sql }) });
  return response.json();
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, question, sql_url: url } = JSON.parse(line);
  const results = [];
  for (const sql of question.split('\n')) results.push(await execute(url, sql));
  const said = JSON.stringify({ url, results }).replaceAll("'", "''");
  process.stdout.write(`${JSON.stringify({ id, sql: `SELECT '${said}'` })}\n`);
}
