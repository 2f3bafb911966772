import { z } from 'zod';
import { formatCount } from '../counts.js';
import { executionFigures } from '../victims/executions/execution-figures.js';
import { isSettled, type VictimAnswer } from '../victims/victim.js';
import { someIds } from '../report/figures.js';

/** A share of something, 0 to 1. */
export const share = z.number().min(0).max(1);
export const count = z.int().min(0);

/** Who was asked, of what, and at what cost: fields of the reports of all runs that ask a victim. */
export const reportedVictim = z.object({ id: z.string(), description: z.string(), fingerprint: z.string() });

export const reportedDataset = z.object({
  /** Name of the file or folder with the examples, "dev.json"; absent where there is none, and in earlier reports. */
  examplesName: z.string().exactOptional(),
  format: z.string(),
  databases: count,
  fingerprint: z.string(),
});

export const reportedUsage = z.object({
  questions: count,
  calls: count,
  promptTokens: count,
  completionTokens: count,
  /** Queries before answers, where the victim might execute some. */
  executions: executionFigures.exactOptional(),
});

/** Warns of questions without an answer: after a transient failure, with what `open` says of them, and for good. */
export function warnOfUnanswered(
  { answers, missing }: { readonly answers: readonly VictimAnswer[]; readonly missing: readonly string[] },
  open: string,
): readonly string[] {
  const failed = answers.filter((answer) => !isSettled(answer)).length;
  return [
    ...(failed > 0 ? [`${formatCount(failed)} questions have no answer because of transient failures${open}`] : []),
    ...(missing.length > 0
      ? [`${formatCount(missing.length)} questions have no prediction and count as unanswered: ${someIds(missing)}`]
      : []),
  ];
}
