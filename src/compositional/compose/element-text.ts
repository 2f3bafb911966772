import { singularOf } from '../../schema/natural-name.js';
import { agreeing, isAuxiliary, isBareVerb } from './verb-forms.js';
import type { CompositionDraft } from './composition-rule.js';
import type { CompositionalElement } from './element.js';
import { type ElementFrame, isParticiple } from './element-frame.js';

/** An element's text in another question: what it needs before it there, and its words. */
export interface FittedText {
  /**
   * "that ", where a predicate follows a noun; "that are ", where a participle follows a relative clause; else empty.
   */
  readonly before: string;
  readonly text: string;
}

/** Frames that follow a noun, and can stand in for and next to one another. */
const AFTER_NOUN: ReadonlySet<ElementFrame> = new Set(['order', 'relative', 'modifier'] as const);

/** "who have …", unlike "which most students like": the pronoun is the subject, and what follows a predicate. */
const SUBJECT_RELATIVE =
  /^(?:that|who|which)\s+(?=\p{Ll})(?!(?:the|an?|some|any|most|all|many|more|few|each|every|no|one|two|at|their|his|her|its|they|it|he|she|we|you|there|of)(?!\p{L}))/u;

const isSubjectRelative = ({ frame, text }: CompositionalElement): boolean =>
  frame === 'relative' && SUBJECT_RELATIVE.test(text);

/** Checks whether the element comes after a predicate, or a relative clause that it continues, and needs no pronoun. */
function continuesPredicate(draft: CompositionDraft): boolean {
  const { kind, base } = draft;
  return base.frame === 'predicate' || (kind === 'APP' && isSubjectRelative(base) && !goesBefore(draft));
}

/**
 * Checks whether the element goes between a noun and its predicate: "how many cars with 4 cylinders were produced in
 * 1980".
 */
export function precedesPredicate({ connective, base, element }: CompositionDraft): boolean {
  if (connective !== 'and' || base.frame !== 'predicate' || element.frame !== 'modifier') return false;
  const last = /(\p{L}+)\s*$/u.exec(base.source.question.slice(0, base.start))?.[1];
  return last !== undefined && singularOf(last.toLowerCase()) === base.noun?.key;
}

/**
 * Checks whether an appended element goes before the base's: that puts in order, or is the predicate of what is asked
 * for.
 */
export function goesBefore(draft: CompositionDraft): boolean {
  const { kind, base, element } = draft;
  const orders = ({ clauses }: CompositionalElement): boolean => clauses.some((clause) => clause.kind === 'order');
  return kind === 'APP' && ((orders(base) && !orders(element)) || precedesPredicate(draft));
}

const firstWord = ({ text }: CompositionalElement): string => text.split(/\s/, 1)[0]?.toLowerCase() ?? '';

/** Checks whether an element is the complement of "be": "which cities are |in Asia". */
function completesBe({ source, start }: CompositionalElement): boolean {
  return /\s(?:is|are|was|were)\s+$/iu.test(source.question.slice(0, start));
}

/** Verbs without an object: what looks like their participle is a past tense, "that occurred". */
const INTRANSITIVE =
  /^(?:occurred|happened|appeared|lived|arrived|departed|participated|competed|lasted|existed|died|landed)(?!\p{L})/iu;

/** Prepositions by which a noun is somewhere. */
const PLACING = /^(?:in|from|at|on|under)\s/iu;
const HAVING = /^with\s+/iu;

/**
 * "who have a dog and |that are| named Kyle", "and |that are| in Rome", "and |that have| a cat": a participle or phrase
 * that would else continue the relative clause before it.
 */
function besideRelative(draft: CompositionDraft, asIs: FittedText): FittedText {
  const { kind, base, element } = draft;
  if (kind === 'SUB' || base.frame !== 'relative' || element.frame !== 'modifier') return asIs;
  const isOne = base.noun?.isPlural === false;
  if (!isParticiple(element)) {
    if (goesBefore(draft)) return asIs;
    const { text } = element;
    if (HAVING.test(text)) return { before: isOne ? 'that has ' : 'that have ', text: text.replace(HAVING, '') };
    if (!PLACING.test(text)) return asIs;
  } else if (INTRANSITIVE.test(element.text)) return { ...asIs, before: 'that ' };
  return { ...asIs, before: isOne ? 'that is ' : 'that are ' };
}

/** Checks whether the base's element follows the verb of its question: "how many flights depart |from APG". */
function followsVerb({ source, start, noun }: CompositionalElement): boolean {
  const [, before = '', last = ''] =
    /(?:(\p{L}+)\s+)?(\p{L}+)\s*$/u.exec(source.question.slice(0, start).toLowerCase()) ?? [];
  const isNoun = singularOf(last) === noun?.key || /^(?:the|an?|of|each|every|all|any|different|in|for)$/u.test(before);
  return isBareVerb(last) && !isNoun;
}

/** "how many players": a question that is none without a predicate. */
const NEEDS_PREDICATE =
  /^\s*(?:how\s+many|how\s+much|what\s+(?:percentage|percent|proportion)\s+of)\s+(?:\p{L}+\s+){1,4}$/iu;

/** Checks whether the base's question has no verb but in its element's place. */
function lacksVerb({ source, start, end }: CompositionalElement): boolean {
  const before = source.question.slice(0, start);
  const hasVerb = before.toLowerCase().split(/\s+/).some(isAuxiliary);
  return NEEDS_PREDICATE.test(before) && !hasVerb && !/\p{L}/u.test(source.question.slice(end));
}

/** The element's words as they fit the base's sentence, without agreement; null where no form of them does. */
function formIn(draft: CompositionDraft): FittedText | null {
  const { kind, base, element } = draft;
  const asIs = { before: '', text: element.text };
  if (base.frame === 'clause' || element.frame === 'clause') {
    return kind === 'SUB' && base.frame === element.frame && firstWord(base) === firstWord(element) ? asIs : null;
  }
  if (element.frame === 'imperative' || base.frame === 'imperative') {
    const isCommand = !base.source.question.trimEnd().endsWith('?');
    return (kind === 'APP' ? isCommand && base.frame !== 'imperative' : base.frame === element.frame) ? asIs : null;
  }
  if (completesBe(base) && element.frame !== base.frame) return null;
  if (kind === 'SUB' && followsVerb(base) && firstWord(element) !== firstWord(base)) return null;
  if (lacksVerb(base) && base.frame !== 'predicate') return null;
  if (element.frame === 'predicate') return continuesPredicate(draft) ? asIs : { ...asIs, before: 'that ' };
  if (base.frame !== 'predicate') return AFTER_NOUN.has(element.frame) ? besideRelative(draft, asIs) : null;
  if (precedesPredicate(draft)) return asIs;
  return isSubjectRelative(element) ? { before: '', text: element.text.replace(SUBJECT_RELATIVE, '') } : null;
}

/** An element's words in the base's question, its verb in the number of the noun there; null where they don't fit. */
export function fittedText(draft: CompositionDraft): FittedText | null {
  const form = formIn(draft);
  if (form === null) return null;
  const isPlural = draft.base.noun?.isPlural ?? true;
  const frame =
    draft.base.frame === 'predicate' && draft.element.frame === 'relative' ? 'predicate' : draft.element.frame;
  return { ...form, text: agreeing(form.text, frame, isPlural) };
}
