// Answers each question with the number of its sub-sentences.
import { createInterface } from 'node:readline';

for await (const line of createInterface({ input: process.stdin })) {
  const { id, segments = [] } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify({ id, sql: `SELECT ${segments.length}` })}\n`);
}
