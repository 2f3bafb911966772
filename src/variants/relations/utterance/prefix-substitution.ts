import type { Inflector } from '../../../dictionary/inflection.js';
import type { MutationCase, NotApplicable, Relation } from '../relation.js';
import { itemAt } from '../../../present.js';
import { DECLARATIVES, hasSecondClause, isNounPhrase, openQuestion, type OpenedQuestion } from './prefixes.js';
import {
  asStart,
  hasSeveralSentences,
  type Rewording,
  utteranceRelation,
  withMark,
  withoutQuotes,
} from './utterance-relation.js';

type Number = 'singular' | 'plural';

/** Where the first noun phrase ends: its head comes before. */
const PHRASE_END =
  /\s+(?:of|for|in|on|at|by|to|from|with|without|that|who|which|whose|where|when|as|between|among|along|together|than|having|ordered|sorted|living|used|made|is|are|was|were|has|have|had|do|does|did|can)\b|[.?;:(]|$/i;

/** The number of a noun phrase by its head; null where it can't be told. */
function phraseNumber(body: string, inflector: Pick<Inflector, 'nounForm'>): Number | null {
  const phrase = itemAt(withoutQuotes(body).split(PHRASE_END, 1), 0).toLowerCase();
  if (/,|\s(?:and|or)\s/.test(phrase)) return 'plural';
  if (/^(?:each|every|any)\b/.test(phrase)) return null;
  const form = inflector.nounForm(phrase.trim().split(/\s+/).at(-1) ?? '');
  return form === null || form.number === 'invariant' ? null : form.number;
}

/** "count the number of …" orders no more than "find the number of …" does: there "count" is a common prefix. */
function startsWithNumber({ prefixClass, body }: OpenedQuestion): boolean {
  return prefixClass === 'special-declarative' && /^the\s+(?:total\s+)?number\s+of\b/i.test(body);
}

const BY_NUMBER: Readonly<Record<Number, readonly string[]>> = {
  singular: ['what is', "what's"],
  plural: ['what are'],
};

/** "What is" wants a determiner after it. */
const DETERMINED = /^(?:the|all|these|those|their|its)\b/i;

interface Substituted extends OpenedQuestion {
  readonly number: Number | null;
  readonly asks: boolean;
}

function substitutesFor({ prefix, body, number, asks }: Substituted): readonly string[] {
  const interrogatives = number !== null && (asks || DETERMINED.test(body)) ? BY_NUMBER[number] : [];
  const declaratives = number === 'plural' ? DECLARATIVES : DECLARATIVES.filter((one) => one !== 'list');
  return [...interrogatives, ...declaratives].filter((one) => one !== prefix);
}

class PrefixSubstitution {
  readonly #inflector: Inflector;

  constructor(inflector: Inflector) {
    this.#inflector = inflector;
  }

  reword({ example: { question } }: MutationCase): readonly Rewording[] | NotApplicable {
    const opened = openQuestion(question);
    if (opened === null) return { reason: 'no common prefix' };
    const asks = opened.prefixClass === 'common-interrogative';
    if (!asks && opened.prefixClass !== 'common-declarative' && !startsWithNumber(opened)) {
      return { reason: 'no common prefix' };
    }
    if (!isNounPhrase(opened.body)) return { reason: 'no noun phrase after the prefix' };
    return this.#substitute(question, { ...opened, asks, number: this.#numberOf(opened, asks) });
  }

  #numberOf({ prefix, body }: OpenedQuestion, asks: boolean): Number | null {
    if (!asks) return phraseNumber(body, this.#inflector);
    return prefix.endsWith('are') ? 'plural' : 'singular';
  }

  #substitute(question: string, opened: Substituted): readonly Rewording[] | NotApplicable {
    const { prefix, body, asks } = opened;
    // A second clause keeps its form only next to a first one of the same form.
    const single = !hasSeveralSentences(question) && !hasSecondClause(question);
    const isQuestion = (one: string): boolean => /^wh/.test(one);
    const substitutes = substitutesFor(opened).filter((one) => single || isQuestion(one) === asks);
    if (substitutes.length === 0) return { reason: 'more than one question' };
    const marked = (one: string): string =>
      isQuestion(one) === asks ? body : withMark(body, isQuestion(one) ? '?' : '.');
    return substitutes.map((one) => ({
      question: asStart(`${one} ${marked(one)}`, question),
      detail: `"${prefix}" became "${one}"`,
    }));
  }
}

/** MT-TEQL §3.1: a common prefix becomes another one that agrees with what follows, "what is" → "tell me". */
export function createPrefixSubstitution(inflector: Inflector): Relation {
  const substitution = new PrefixSubstitution(inflector);
  return utteranceRelation({
    id: 'PS',
    version: 1,
    readsGoldFor: null,
    reword: (one) => substitution.reword(one),
  });
}
