import type { MutationCase, NotApplicable } from '../relation.js';
import { hasSecondClause, isNounPhrase, openQuestion } from './prefixes.js';
import { asStart, hasSeveralSentences, type Rewording, utteranceRelation } from './utterance-relation.js';

function reword({ example: { question } }: MutationCase): readonly Rewording[] | NotApplicable {
  const opened = openQuestion(question);
  if (opened?.prefixClass !== 'common-interrogative' && opened?.prefixClass !== 'common-declarative') {
    return { reason: 'no common prefix' };
  }
  if (!isNounPhrase(opened.body)) return { reason: 'no noun phrase after the prefix' };
  if (hasSeveralSentences(question) || hasSecondClause(question)) return { reason: 'more than one question' };
  return [{ question: asStart(opened.body, question), detail: `removed "${opened.prefix}"` }];
}

/** MT-TEQL §3.1: a common prefix is left out, "the age of all singers?". */
export const PREFIX_REMOVAL = utteranceRelation({
  id: 'PR',
  version: 1,
  readsGoldFor: null,
  reword,
});
