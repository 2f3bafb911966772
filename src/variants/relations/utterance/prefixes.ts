import { itemAt } from '../../../present.js';
import { withoutQuotes } from './utterance-relation.js';

/**
 * Common declarative prefixes (MT-TEQL Table 2: "tell me, return, find, list"; the others as its program and Spider's
 * train questions have them), in front of a noun phrase.
 */
export const DECLARATIVES = [
  'tell me',
  'find',
  'return',
  'list',
  'show me',
  'give me',
  'let me know',
  'show',
  'give',
  'display',
] as const;

/** Read as prefixes too, never written. */
const FURTHER_DECLARATIVES = ['return me', 'find me', 'find out', 'list out', 'print', 'provide', 'report', 'retrieve'];

/** Common interrogative prefixes (MT-TEQL Table 2). */
const COMMON_INTERROGATIVES = ['what is', "what's", 'what are', 'which is', 'which are'] as const;

/** How a question opens, after MT-TEQL's Table 2. */
type PrefixClass = 'common-interrogative' | 'special-interrogative' | 'common-declarative' | 'special-declarative';

export interface OpenedQuestion {
  readonly prefixClass: PrefixClass;
  /** In small letters with single spaces: "what is". */
  readonly prefix: string;
  /** The text after the prefix, as it is. */
  readonly body: string;
}

function prefixPattern(prefixes: readonly string[], before = ''): RegExp {
  // The longest first: "show me" is not "show" with a body of "me …".
  const sorted = [...prefixes].sort((a, b) => b.length - a.length).map((prefix) => prefix.replaceAll(' ', '\\s+'));
  return new RegExp(`^${before}(${sorted.join('|')})\\s+(?=\\S)`, 'i');
}

const OPENINGS: readonly (readonly [PrefixClass, RegExp])[] = [
  ['common-interrogative', prefixPattern(COMMON_INTERROGATIVES)],
  ['common-declarative', prefixPattern([...DECLARATIVES, ...FURTHER_DECLARATIVES], '(?:please\\s+)?')],
  ['special-declarative', prefixPattern(['count'])],
  ['special-interrogative', /^(what|which|who|whose|when|where|how)\b(?:'s)?\s*/i],
];

/** The prefix that a question opens with, and the rest; null where it opens otherwise. */
export function openQuestion(question: string): OpenedQuestion | null {
  for (const [prefixClass, pattern] of OPENINGS) {
    const match = pattern.exec(question);
    if (match === null) continue;
    const prefix = itemAt(match, 1).toLowerCase().replace(/\s+/g, ' ');
    return { prefixClass, prefix, body: question.slice(match[0].length) };
  }
  return null;
}

/** First words of what can't be a noun phrase: a question, a preposition, an adverb, a pronoun for persons. */
const NO_NOUN_PHRASE =
  /^(?:what|which|who|whose|when|where|how|whether|if|that|there|me|us|it|you|in|on|at|by|for|to|from|with|as|out|also|is|are|was|were|do|does|did|being|\d)\b/i;

/** Checks whether what follows a common prefix is a noun phrase: "the ages of all singers". */
export function isNounPhrase(body: string): boolean {
  return /^[\p{L}"'“‘_]/u.test(body) && !NO_NOUN_PHRASE.test(body);
}

/** A further question or order after the first: ", and how many …", "and sort them". */
const SECOND_CLAUSE = new RegExp(
  [
    String.raw`(?:,|\band|\bor|\bthen)\s+(?:what|how|who|whose|when|where)\b`,
    String.raw`(?:,|\band|\bor)\s+(?:which|what)\s+(?:is|are|was|were|ones?)\b`,
    String.raw`(?:,|\band|\bthen)\s+(?:then\s+|also\s+|please\s+)*(?:sort|give|return|find|tell|display|arrange|include|compute|show)\b`,
    String.raw`(?:,|\band|\bthen)\s+(?:then\s+|also\s+|please\s+)*(?:list|order|count|report|rank|group|print)\s+(?:the|them|it|by|in|all|each|their|its|results?)\b`,
  ].join('|'),
  'i',
);

/** Checks whether a question asks for or orders something more than its first clause does. */
export function hasSecondClause(question: string): boolean {
  return SECOND_CLAUSE.test(withoutQuotes(question));
}
