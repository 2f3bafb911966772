import { z } from 'zod';
import { defineCommand } from './command.js';
import { flag, text } from '../options/option-field.js';

/** `perturbql split`. */
export const command = defineCommand({
  options: z.object({
    questions: text(
      'file',
      'JSON lines, or a JSON array such as Spider’s dev.json, of {id?, db_id?, question, query?}',
    ),
    tables: text('path', 'schemas whose names stay whole in the questions (Spider’s tables.json)'),
    json: flag('print a line {id, segments: [{text, start, end}]} for each question', { flagOnly: true }),
  }),
  example: 'perturbql split --questions questions.jsonl --tables tables.json',
  onInterrupt: 'stops',
  async run({ questions, tables, json }, { host }) {
    const [{ splitQuestions }, { renderSplit }] = await Promise.all([
      import('../compositional/split/split-questions.js'),
      import('./split-lines.js'),
    ]);
    for await (const result of splitQuestions({ questions, tables, note: (line) => host.note(line) })) {
      if (json) console.log(JSON.stringify({ id: result.id, segments: result.segments }));
      else for (const line of renderSplit(result)) console.log(line);
      if (host.signal.aborted) break;
    }
  },
});
