import type { DatasetExample } from './dataset.js';

/** Words and signs, as Spider's `question_toks` have them. */
const WORDS = /[\p{L}\p{N}]+(?:[-_.'’][\p{L}\p{N}]+)*|\S/gu;

/** An example with another question; tokens made from the old one are made again. */
export function rewordedExample(example: DatasetExample, question: string): DatasetExample {
  const record = example.record as Readonly<Record<string, unknown>>;
  const tokens = 'question_toks' in record ? { question_toks: question.match(WORDS) ?? [] } : {};
  return { ...example, question, record: { ...record, question, ...tokens } };
}
