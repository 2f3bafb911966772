import { z } from 'zod';
import { InputFormatError } from '../../errors.js';
import { checkRecord, loadJsonArray } from '../../formats/json-file.js';
import type { EvaluationPair } from '../metric.js';
import type { GoldQuery } from './gold-queries.js';
import { goldPositions } from './predictions.js';

const recordSchema = z.object({
  question_id: z.union([z.string().min(1), z.int()]),
  db_id: z.string(),
  SQL: z.string().min(1),
});

const FIX = 'Each record needs question_id, db_id and SQL, as in BIRD’s dev_tied_append.json.';

/**
 * Further gold queries of questions, as BIRD's `dev_tied_append.json` has them, by the id of the gold query:
 * `question_id` is that id, or its position from 0.
 * @throws InputFormatError naming a record whose question is none of the gold's, or is of another database
 */
export function readAlternativeGolds(file: string, gold: readonly GoldQuery[]): ReadonlyMap<string, readonly string[]> {
  const positions = goldPositions(gold);
  const alternatives = new Map<string, string[]>();
  for (const [at, record] of loadJsonArray(file, 'golds').entries()) {
    const {
      question_id: question,
      db_id: dbId,
      SQL,
    } = checkRecord(recordSchema, record, { file, id: `record ${at}` }, FIX);
    const query = gold[positions.get(String(question)) ?? -1];
    if (query?.dbId !== dbId) {
      const what =
        query === undefined ? 'is none of the gold file’s' : `is of ${query.dbId} in the gold file, not of ${dbId}`;
      throw new InputFormatError(`question_id ${question} ${what}`, { where: { file, id: `record ${at}` }, fix: FIX });
    }
    alternatives.set(query.id, [...(alternatives.get(query.id) ?? []), SQL]);
  }
  return alternatives;
}

/** The pairs that have further gold queries, once with each of these. */
export function withAlternatives(
  pairs: readonly EvaluationPair[],
  alternatives: ReadonlyMap<string, readonly string[]>,
): readonly EvaluationPair[] {
  return pairs.flatMap((pair) => (alternatives.get(pair.id) ?? []).map((gold) => ({ ...pair, gold })));
}
