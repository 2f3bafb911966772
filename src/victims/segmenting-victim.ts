import type { QuestionSplitter } from '../compositional/split/question-splitter.js';
import type { Victim } from './victim.js';
import { wrapVictim } from './wrapped-victim.js';

/** A victim whose questions come with their sub-sentences (Spider-SS §4). It owns the splitter. */
export function segmentingVictim(victim: Victim, splitter: QuestionSplitter): Victim {
  return wrapVictim(victim, {
    suffix: splitter.fingerprint,
    asked: async (asked) => ({ ...asked, segments: await splitter.segmentsOf(asked.question, asked.schema) }),
    close: () => splitter.close(),
  });
}
