import type { MutationCase, NotApplicable } from '../relation.js';
import { openQuestion } from './prefixes.js';
import {
  asStart,
  hasSeveralSentences,
  type Rewording,
  utteranceRelation,
  withMark,
  withoutQuotes,
  withSmallFirstWord,
} from './utterance-relation.js';

/** A prefix, and the sign that sets a question apart from it that does not go on from it. */
type SignedPrefix = readonly [prefix: string, sign: ',' | ':'];

/** Said to a person: "tell me what is the age" goes, as in the paper. */
const SAID: readonly SignedPrefix[] = [
  ['tell me', ','],
  ['please tell me', ','],
  ['let me know', ':'],
  ['show me', ':'],
  ['find out', ':'],
  ['I want to know', ':'],
];

/** Ordered of a program: "return which singers are over 40" goes, "return what is the age" hardly. */
const ORDERED: readonly SignedPrefix[] = [
  ['find', ':'],
  ['return', ':'],
  ['report', ':'],
  ['show', ':'],
];

const LIST: SignedPrefix = ['list', ':'];

/** "list" goes before more than one thing. */
const PLURAL =
  /^(?:what|which)\s+(?:are\b|(?!(?:is|was|has|does)\b)(?:\p{L}+\s+)?(?!(?:is|was|has|does)\b)\p{Ll}+(?<!s)s\b)/iu;

/** "how many singers do we have", "when did he win", "how old is the doctor": in a statement the words stand otherwise. */
const TURNED =
  /^(?:(?:how|when|where)\s+(?:is|are|was|were|do|does|did|has|have|can)\b|how\s+(?!many\b)\w+\s+(?:is|are|was|were|do|does|did)\b|.*\b(?:do|does|did)\b|.*\b(?:is|are|was|were)\s+there\b)/i;

/** "what is the age", "who are the singers". */
const OF_BEING = /^(?:what|which|who)(?:'s|\s+(?:is|are|was|were))\b/i;

function insertBefore(question: string): readonly Rewording[] {
  const asked = withSmallFirstWord(question);
  const turned = TURNED.test(withoutQuotes(question)) || hasSeveralSentences(question);
  const insert = (apart: boolean, [prefix, sign]: SignedPrefix): Rewording => ({
    question: asStart(apart ? `${prefix}${sign} ${asked}` : `${prefix} ${withMark(asked, '.')}`, question),
    detail: `inserted "${prefix}"`,
  });
  const ordered = PLURAL.test(question) ? [...ORDERED, LIST] : ORDERED;
  return [
    ...SAID.map((prefix) => insert(turned, prefix)),
    ...ordered.map((prefix) => insert(turned || OF_BEING.test(question), prefix)),
  ];
}

function reword({ example: { question } }: MutationCase): readonly Rewording[] | NotApplicable {
  const opened = openQuestion(question);
  const asks = opened?.prefixClass === 'common-interrogative' || opened?.prefixClass === 'special-interrogative';
  return asks ? insertBefore(question) : { reason: 'no interrogative prefix' };
}

/** MT-TEQL §3.1: a question gets a common declarative prefix, "tell me what is the age of all singers". */
export const PREFIX_INSERTION = utteranceRelation({
  id: 'PI',
  version: 1,
  readsGoldFor: null,
  reword,
});
