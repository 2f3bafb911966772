import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Verdicts of one pair: whether each metric calls it correct. */
export type PairJudgement = Readonly<Partial<Record<'exact' | 'execution' | 'suite', boolean>>>;

const LEVELS = ['easy', 'medium', 'hard', 'extra'] as const;

/** A line as `evaluate --verdicts` writes it; golds and hardness go by the pair's number. */
export function verdictLine(i: number, judged: PairJudgement, change: object = {}): string {
  const entries = Object.entries(judged).map(([metric, isCorrect]) => [
    metric,
    { outcome: isCorrect ? 'correct' : 'wrong' },
  ]);
  const pair = { id: `dev:${i}`, db_id: 'town', hardness: LEVELS[i % 4], gold: `SELECT ${i}`, predicted: 'SELECT 1' };
  return JSON.stringify({ ...pair, ...(Object.fromEntries(entries) as object), ...change });
}

/** Writes the verdicts of a model; a letter per pair: + correct, anything else wrong. */
export function writeVerdicts(
  folder: string,
  name: string,
  metrics: Readonly<Partial<Record<keyof PairJudgement, string>>>,
): string {
  const length = Object.values(metrics)[0]!.length;
  const lines = Array.from({ length }, (_, i) =>
    verdictLine(i, Object.fromEntries(Object.entries(metrics).map(([metric, marks]) => [metric, marks[i] === '+']))),
  );
  const file = join(folder, `${name}.jsonl`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}
