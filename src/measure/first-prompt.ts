import { describePrompt } from '../chat/told-prompt.js';
import type { LazyQuestion } from '../victims/answer-cache.js';
import type { ChosenVictim } from '../victims/create-victim.js';

/** The first of the questions as a model outside this process is told it, in lines for people; none for others. */
export async function describeFirstPrompt(
  { victim, withoutCells }: Pick<ChosenVictim, 'victim' | 'withoutCells'>,
  question: LazyQuestion | undefined,
): Promise<readonly string[]> {
  if (victim?.tell === undefined || question === undefined) return [];
  const told = await victim.tell(question.make());
  return told === null ? [] : describePrompt(`of ${question.id}`, told, withoutCells === true ? false : null);
}
