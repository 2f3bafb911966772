import type { Dataset, DatasetExample } from '../formats/dataset.js';
import { renderJsonArray } from '../formats/json-output.js';
import type { OutputFolder } from '../formats/output-set.js';
import type { SpiderExampleRecord } from '../formats/spider-examples.js';
import { renderGoldLine, renderVariantRecord, spiderRecordOf } from '../formats/spider-output.js';
import { groupBy } from '../perturb/group-by.js';
import type { Database } from '../schema/schema.js';
import type { MutantRecord } from './relation.js';

/** Words and signs, as Spider's `question_toks` have them. */
const WORDS = /[\p{L}\p{N}]+(?:[-_.'’][\p{L}\p{N}]+)*|\S/gu;

/** An example with another question; tokens made from the old one are made again. */
function reworded(example: DatasetExample, question: string): DatasetExample {
  const record = example.record as Readonly<Record<string, unknown>>;
  const tokens = 'question_toks' in record ? { question_toks: question.match(WORDS) ?? [] } : {};
  return { ...example, question, record: { ...record, question, ...tokens } };
}

/** Each example, followed by its mutants. */
function* renderExamples(
  dataset: Dataset,
  mutants: readonly MutantRecord[],
  schemaOf: (id: string) => Database,
): Generator<SpiderExampleRecord> {
  const bySeed = groupBy(mutants, ({ seed }) => seed);
  for (const example of dataset.examples()) {
    yield spiderRecordOf(dataset, example);
    for (const { question, query, db_id } of bySeed.get(example.id) ?? []) {
      yield renderVariantRecord(dataset, reworded(example, question), query, schemaOf(db_id));
    }
  }
}

/**
 * Writes a training set as Spider's own tools read it, `examples.json` and `gold.sql`: each example followed by its
 * mutants (MT-TEQL §4); their schemas are in `tables.json`.
 */
export function writeTrainingSet(
  dataset: Dataset,
  mutants: readonly MutantRecord[],
  schemaOf: (id: string) => Database,
  folder: OutputFolder,
): void {
  const gold = function* (): Generator<string> {
    for (const { query, db_id } of renderExamples(dataset, mutants, schemaOf)) yield renderGoldLine(query, db_id);
  };
  folder.write('examples.json', renderJsonArray(renderExamples(dataset, mutants, schemaOf)));
  folder.write('gold.sql', gold());
}
