import type { OutputFolder, OutputSet } from '../output-set.js';
import { writeLoopFiles } from './line-exports.js';
import { type ParquetField, parquetChunks } from './parquet-chunks.js';
import { type PromptedRow, type PromptOptions, promptedRows } from './export-row.js';
import { splitOf } from './export-names.js';

const FIELDS = {
  data_source: 'text',
  prompt: [{ role: 'text', content: 'text' }],
  ability: 'text',
  reward_model: { style: 'text', ground_truth: 'text' },
  extra_info: {
    index: 'int',
    split: 'text',
    id: 'text',
    source_id: 'text',
    kind: 'text',
    db_id: 'text',
    original_db_id: 'text',
    question: 'text',
  },
} as const satisfies Readonly<Record<string, ParquetField>>;

type VerlRow = Readonly<Record<keyof typeof FIELDS, unknown>>;

function* renderRows(rows: Iterable<PromptedRow>, split: string): Generator<VerlRow> {
  let index = 0;
  for (const { messages, query, id, source_id, kind, db_id, original_db_id, question } of rows) {
    yield {
      // verl reports its validation by source.
      data_source: `perturbql/${kind.toLowerCase()}`,
      prompt: messages,
      ability: 'text-to-sql',
      reward_model: { style: 'rule', ground_truth: query },
      extra_info: { index: BigInt(index++), split, id, source_id, kind, db_id, original_db_id, question },
    };
  }
}

/** `verl/`: a Parquet file as verl's `RLHFDataset` reads it, and the function for its `custom_reward_function`. */
export function exportVerl(set: OutputSet, folder: OutputFolder, options: PromptOptions): void {
  const split = splitOf(set);
  folder.write(`verl/${split}.parquet`, parquetChunks(renderRows(promptedRows(set, options), split), FIELDS));
  writeLoopFiles('verl', folder);
}
