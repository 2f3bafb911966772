import { columnsOf } from '../clauses/clause-parts.js';
import type { Clause } from '../clauses/clause.js';
import { columnKey, type Database, keyColumns } from '../../schema/schema.js';
import type { ElementFrame } from './element-frame.js';
import { isAuxiliary, isFiniteVerb, isPastAlone } from './verb-forms.js';
import { nounKey, wordKeys } from './modified-noun.js';

/**
 * Checks whether one of several columns that are selected is named by an element, and not before it: "by the largest
 * percentage".
 */
export function asksWithin(before: string, text: string, rest: readonly Clause[], { tables }: Database): boolean {
  const selected = rest.filter(({ kind }) => kind === 'select');
  const [said, within] = [new Set(wordKeys(before)), new Set(wordKeys(text))];
  const names = selected
    .flatMap(columnsOf)
    .map(({ table, column }) => wordKeys(tables[table]?.columns[column]?.name ?? '').filter((word) => word !== 'name'));
  return (
    selected.length > 1 &&
    names.some((name) => name.some((word) => within.has(word)) && !name.some((word) => said.has(word)))
  );
}

/** Columns that a question selects, keys left out, with their tables’ names and their own. */
function selectedColumns(rest: readonly Clause[], database: Database) {
  const keys = keyColumns(database);
  return rest
    .flatMap((clause) => (clause.kind === 'select' ? columnsOf(clause) : []))
    .filter((ref) => !keys.has(columnKey(ref)))
    .map(({ table, column }) => ({
      table,
      ofTable: database.tables[table]?.name ?? '',
      name: database.tables[table]?.columns[column]?.name ?? '',
    }));
}

/** Checks whether a word of a column that is selected is an element's alone: "goals", "by Parma as an away team". */
export function asksHalf(before: string, text: string, rest: readonly Clause[], database: Database): boolean {
  const [said, within] = [wordKeys(before), wordKeys(text)];
  return selectedColumns(rest, database).some(({ ofTable, name }) => {
    const words = wordKeys(name).filter((word) => !wordKeys(ofTable).includes(word));
    return (
      words.some((word) => within.includes(word) && !said.includes(word)) && words.some((word) => said.includes(word))
    );
  });
}

/**
 * Checks whether a column is selected of a table that the words before an element don't name, though the noun has one
 * by its name: the address of a circuit, where races are asked about.
 */
export function asksNamesake(
  before: string,
  nounTables: readonly number[],
  rest: readonly Clause[],
  database: Database,
): boolean {
  const said = wordKeys(before);
  return selectedColumns(rest, database).some(
    ({ table, ofTable, name }) =>
      !nounTables.includes(table) &&
      !said.includes(nounKey(ofTable)) &&
      nounTables.some((noun) => database.tables[noun]?.columns.some((column) => column.name === name)),
  );
}

/** Words that an element ends with where they are the sentence's own verb: "visitors below age 30 are there". */
const OWN_VERB = /\s(?:(?:is|are|was|were)(?:\s+there)?|have|has|had|do|does|did|own|play|cost|produce|use)$/iu;
/**
 * A question whose verb follows its subject: "how many cylinders does the car … have", "years in which bands … began".
 */
const INVERTED =
  /(?<!\p{L})(?:do|does|did|(?:in|on|at|for|from|to|by|with)\s+(?:which|whom|whose))\s+(?:(?:the|an?|all|each|every|any|different)\s+)*(?:\p{L}+\s+)?\p{L}+\s*$/iu;

/** "State the category of events were held |at": the verb of what the element says, in a sentence with another. */
const VERB_LEFT =
  /^(?:please\s+)?(?:state|lists?|show|name|give|mention|provide|identify|find|describe|tell|return|display)(?!\p{L})(?![^]*(?<!\p{L})(?:that|which|who|what|how)(?!\p{L}))[^]*\s(?:is|are|was|were)(?:\s+\p{L}+)?\s*$/iu;

/** Words that something more has to follow: an element in its place would not. */
const OPEN_END =
  /(?<!\p{L})(?:each|every|of|to|for|by|with|and|or|the|an?|correspond(?:s|ing)?|belong(?:s|ing)?)[\s,]*$|(?<!\p{L})(?:both|either|neither|between)(?!\p{L})(?![^]*\s(?:and|or|nor)\s)/iu;

/** A question within an element: "in the set of 2019, how many of them are white". */
const ASKS =
  /(?:,|\sand)\s*(?:(?:how|what|list|give|find|calculate|please)(?!\p{L})|(?:state|name|show|identify|indicate|mention|provide|tell|describe)\s+(?:the|their|its|his|her|me|which|all)(?!\p{L}))/iu;
/** "have higher than 3": than 3 of what? */
const NOTHING_COMPARED =
  /(?:^|\s)(?:have|has|had|having|with)\s+(?:an?\s+)?(?:higher|lower|more|less|fewer|greater|larger|smaller)\s+than\s+[\d.,]+$/iu;
/** "whose scores are over 1500 whose city is Lakeport": two clauses of one noun with nothing between them. */
const UNJOINED = /(?<!\p{L})(?:and|or|but)\s+whose(?!\p{L})|(?<!\p{L})whose(?!\p{L})/giu;

/** "that belong to the block translated into", "whose name is "Pierre" obtained": the end of another clause. */
const TORN_END = /\s(?:into|of|for|to|with|by|from|at|on)$|\sbe\s+\p{L}+$|["”'’]\s+\p{L}+ed$/iu;
/** "that they belong to": its own subject between pronoun and verb. */
const OF_SUBJECT = /^(?:that|which|who)\s+(\p{L}+)/iu;
/** The subject of a predicate: "how many cars", "which airlines". */
const SUBJECT =
  /(?:^|[,.]\s*)(?:how\s+many|how\s+much|which|what|who)\s+(?!(?:is|are|was|were|do|does|did|percentage|percent)(?!\p{L}))/iu;

/** "among all superheroes", "of them": a part of what is named, of which no other part can be named next to it. */
const PART_OF = /^(?:among|amongst|out\s+of|of|than|per)(?!\p{L})/iu;
/** "located in Vienna obtained the badge": a second verb with its object. */
const SECOND_VERB = /\s\p{L}+ed\s+(?:the|an?|their|his|her|its)\s/iu;

/** "with "Angel" in it": of something that was named before. */
const OF_PRONOUN = /\s(?:in|of|on|for|with|about|by|from|to)\s+(?:it|them)$/iu;

const PRONOUN = /^(?:\p{L}+\s+)??(?:that|who|which|whose|whom|where|when)\s+/iu;
/** Words that a further verb can come with, after any others. */
const JOINTS = new Set('that who which whose whom where when while as they there it he she if'.split(' '));
/** Words that a further verb can follow: "and available on paper have" has none. */
const COORDINATORS = new Set(['and', 'or', 'but', ',']);

/**
 * Verbs of a text that have no word before them to come with: two auxiliaries with a word between them are one verb.
 */
function looseVerbs(text: string): number {
  const words = text.toLowerCase().match(/[\p{L}'’]+|,/gu) ?? [];
  let [loose, joints, last] = [0, 0, -9];
  for (const [i, word] of words.entries()) {
    if (JOINTS.has(word)) joints++;
    if (!isAuxiliary(word) && !isPastAlone(word)) continue;
    const isJoined = words.slice(Math.max(0, i - 2), i).some((before) => COORDINATORS.has(before));
    const isOneVerb = isPastAlone(word) ? i - last === 1 : i - last <= 2;
    if (isOneVerb || isJoined) last = i;
    else if (joints > 0) [joints, last] = [joints - 1, i];
    else [loose, last] = [loose + 1, i];
  }
  return loose;
}

const JOINING = /(?<!\p{L})(?:that|who|which|whose|and|or|but)(?!\p{L})/iu;
const hasSecondVerb = (text: string): boolean => SECOND_VERB.test(text) && !JOINING.test(text);

/** Checks whether an element has a verb more than its clauses: "from India have the teacher badges". */
function hasVerbTooMuch(text: string, frame: ElementFrame): boolean {
  if (frame === 'modifier') return looseVerbs(text) > 0 || hasSecondVerb(text);
  if (frame !== 'relative' && frame !== 'predicate') return false;
  const predicate = frame === 'relative' ? text.replace(PRONOUN, '') : text;
  const [first = ''] = predicate.toLowerCase().split(/\s/, 1);
  if (first.endsWith('ed') && hasSecondVerb(predicate)) return true;
  return looseVerbs(predicate) > (isFiniteVerb(first) && !isAuxiliary(first) && !isPastAlone(first) ? 0 : 1);
}

/** Checks whether an element ends in a word that something has to follow, or belongs to another clause. */
function hasTornEnd(text: string, frame: ElementFrame): boolean {
  if (!TORN_END.test(text)) return false;
  const first = OF_SUBJECT.exec(text)?.[1]?.toLowerCase();
  return frame !== 'relative' || first === undefined || isFiniteVerb(first) || !/\p{L}$/u.test(text);
}

/** Checks whether a relative clause has no verb: "that only available in paper". */
function lacksVerb(text: string, frame: ElementFrame): boolean {
  const words = text.toLowerCase().match(/[\p{L}'’]+/gu) ?? [];
  const isAdverb = /^(?:only|also|just|still|currently|not|never)$/u.test(words[1] ?? '');
  return frame === 'relative' && isAdverb && !words.slice(2).some(isFiniteVerb);
}

/** Checks whether a predicate begins with a verb, behind an adverb maybe: "temporarily have no dogs". */
function beginsWithVerb(text: string): boolean {
  const [first = '', second = ''] = text.toLowerCase().split(/\s+/, 2);
  const isAdverb = /\p{L}ly$/u.test(first) || ['both', 'also', 'only', 'never', 'not'].includes(first);
  return isFiniteVerb(isAdverb ? second : first);
}

/** "a location |that contains NY": the column that an element's condition is on is named before it, and not in it. */
export function leavesColumnBehind(
  before: string,
  text: string,
  own: readonly Clause[],
  { tables }: Database,
): boolean {
  const previous = wordKeys(before).at(-1) ?? '';
  const columns = own.flatMap((clause) =>
    clause.kind === 'condition' || clause.kind === 'order' ? columnsOf(clause) : [],
  );
  const names = columns.flatMap(({ table, column }) => tables[table]?.columns[column]?.name ?? []);
  const isColumn = names.some((name) => nounKey(name) === previous);
  const isTable = tables.some(({ name }) => nounKey(name) === previous);
  return isColumn && !isTable && !wordKeys(text).includes(previous);
}

/** An element's words, and its question's before it. */
interface ElementWords {
  readonly before: string;
  readonly text: string;
  readonly frame: ElementFrame;
}

/**
 * Checks whether an element would leave behind, or take along, the verb of its question, or is no phrase of its own.
 */
export function isBroken({ before, text, frame }: ElementWords): boolean {
  if (
    PART_OF.test(text) ||
    ASKS.test(text) ||
    NOTHING_COMPARED.test(text) ||
    OF_PRONOUN.test(text) ||
    INVERTED.test(before) ||
    VERB_LEFT.test(before) ||
    OPEN_END.test(before)
  )
    return true;
  if (!/^(?!(?:and|or|but|nor)\s)\p{Ll}/u.test(text)) return true;
  const whose = [...text.matchAll(UNJOINED)].filter(([one]) => one.toLowerCase() === 'whose');
  if (whose.length > 1 || hasVerbTooMuch(text, frame)) return true;
  if (hasTornEnd(text, frame) || lacksVerb(text, frame)) return true;
  if (frame === 'predicate') return !beginsWithVerb(text) || !SUBJECT.test(before);
  return frame === 'modifier' && OWN_VERB.test(text);
}
