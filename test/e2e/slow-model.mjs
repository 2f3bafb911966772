// A model behind a command: notes each question in the file it is given, and answers after a while.
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const [, , notes, milliseconds] = process.argv;
for await (const line of createInterface({ input: process.stdin })) {
  const { id, db_id: dbId, schema } = JSON.parse(line);
  appendFileSync(notes, `${id}\n`);
  await sleep(Number(milliseconds));
  const [, table, column] = /CREATE TABLE (\S+) \(\s+("[^"]+"|\S+)/.exec(schema);
  process.stdout.write(`${JSON.stringify({ id, sql: `SELECT ${column} FROM ${table} -- ${dbId}` })}\n`);
}
