import { columnKey, type Database } from '../../schema/schema.js';
import { SchemaMentions } from '../align/schema-mentions.js';
import type { Clause } from '../clauses/clause.js';
import { rememberedOf } from '../clauses/clause-parts.js';
import { contentOf } from './clause-constants.js';
import { areDenialsMeant, areRangesMeant, areSuperlativesMeant } from './said-cues.js';
import { areSaidElsewhere } from './said-elsewhere.js';
import {
  areNamesMeant,
  areNumbersMeant,
  arePresentSaid,
  isConstantSaid,
  type SaidText,
  saidText,
} from './said-values.js';

const mentionsIn = rememberedOf((database: Database) => new SchemaMentions(database));

/** In what words and clauses can differ. */
type Discord = 'counted' | 'selected' | 'constant' | 'number' | 'name' | 'superlative' | 'range' | 'denial';

/** Checks whether a text names each of several columns that are selected. */
function areSelectedSaid({ words, text }: SaidText, clauses: readonly Clause[], database: Database): boolean {
  const selected = clauses.flatMap((clause) =>
    clause.kind === 'select' && clause.value.kind === 'column' ? [clause.value] : [],
  );
  return selected.length < 2 || selected.every((ref) => mentionsIn(database).column(ref, words, text) > 0);
}

const COUNTED = /(?<!\p{L})(?:how\s+many|(?:total\s+)?number\s+of)(?!\p{L})/iu;

/** Checks whether a number that a text asks for is counted, or is a column that the text names. */
function isNumberCounted({ words, text }: SaidText, clauses: readonly Clause[], database: Database): boolean {
  const selected = clauses.filter((clause) => clause.kind === 'select');
  if (selected.length === 0 || !COUNTED.test(text)) return true;
  const primary = new Set(database.primaryKeys.map(columnKey));
  return selected.some(
    ({ value }) =>
      value.kind !== 'column' ||
      (!primary.has(columnKey(value)) && mentionsIn(database).column(value, words, text) > 0),
  );
}

/**
 * Finds something that a text and its clauses don't both say: a number that nothing counts, a constant that no word
 * says, a number or name that no clause has, a superlative, a comparison or a denial of one alone. Null if nothing is
 * found.
 */
export function discordOf(text: string, clauses: readonly Clause[], database: Database): Discord | null {
  const [said, content] = [saidText(text), contentOf(clauses)];
  const mentions = mentionsIn(database);
  const areConstantsSaid = content.constants.every((constant) => isConstantSaid(constant, said, mentions));
  if (!areConstantsSaid || !arePresentSaid(said, content, mentions)) return 'constant';
  if (!isNumberCounted(said, clauses, database)) return 'counted';
  if (!areSelectedSaid(said, clauses, database)) return 'selected';
  if (!areNumbersMeant(said, content, database)) return 'number';
  if (!areNamesMeant(said, content, database)) return 'name';
  if (!areSuperlativesMeant(text, content, database)) return 'superlative';
  if (!areRangesMeant(text, content)) return 'range';
  return areDenialsMeant(text, content) ? null : 'denial';
}

/** Whether what an element and what stays of its question say is what their clauses say. */
export interface Concord {
  readonly element: boolean;
  /** The question without its element. */
  readonly rest: boolean;
  readonly whole: boolean;
}

/** The two sides compared: a question with the place of its element, and the clauses of both. */
interface DividedQuestion {
  readonly question: string;
  /** The data set's explanation of its words; empty if there is none. */
  readonly hint: string;
  readonly start: number;
  readonly end: number;
  readonly own: readonly Clause[];
  readonly rest: readonly Clause[];
}

/** Compares words and clauses of an element and its question. */
export function concordOf({ question, hint, start, end, own, rest }: DividedQuestion, database: Database): Concord {
  const left = `${question.slice(0, start)} ${question.slice(end)}`;
  const agrees = (text: string, clauses: readonly Clause[]): boolean => discordOf(text, clauses, database) === null;
  const text = question.slice(start, end);
  const explained = { question, hint, database, mentions: mentionsIn(database) };
  const isDivided = !areSaidElsewhere(own, text, left, explained) && !areSaidElsewhere(rest, left, text, explained);
  return {
    element: isDivided && agrees(text, own),
    rest: isDivided && agrees(left, rest),
    whole: agrees(question, [...rest, ...own]),
  };
}
