import { columnNameKey, nameKey, spellingKey, wordsOf } from '../schema/name-identity.js';
import { isOfDictionary, type NaturalnessContext, type NaturalnessRule } from './naturalness-rule.js';
import { targetColumn, type TargetColumn } from '../stage.js';
import { withoutUnit } from './measured-name.js';
import { nearRepeat } from './near-repeat.js';
import { opaqueColumn, unreadColumn } from './opaque-column.js';
import { isWithoutLatin } from '../schema/naming-style.js';
import type { Table } from '../schema/schema.js';
import { restatement } from './restatement.js';
import { memoizeObject } from '../schema/memoize.js';

/** Names that fit any table and say nothing of its rows, in their keys. */
const FILLER = new Set(
  (
    'remark|note|comment|general comment|additional note|additional comment|internal note|description|short description|long description|' +
    'brief description|detail|additional detail|additional information|other information|miscellaneous|information|summary text|free text|memo|' +
    'date added|added on|added by|date created|created|created at|created on|created by|creation date|creation time|created date|date entered|' +
    'entry date|entered by|entered on|record date|record created|record creation date|last updated|last update|last updated on|last updated at|last updated by|' +
    'updated|updated at|updated on|updated by|update date|date updated|last modified|last modified date|modified at|modified on|modified by|modified date|' +
    'last changed|last changed by|changed by|changed on|status|current status|record status|active|is active|active flag|is deleted|deleted|' +
    'display order|sort order|record id|row number|row id|version|record version|tag|label|flag|other|extra|data source|source'
  ).split('|'),
);

/**
 * "Remarks", "date added", "status": what any table may have goes with no column (ADVETA §2.3 asks additions to be associated
 * with theirs).
 */
function filler(): Omit<NaturalnessRule, 'id'> {
  return {
    appliesTo: 'ADD',
    check: (name) => (FILLER.has(columnNameKey(name)) ? 'fits any table' : null),
  };
}

function countOf(name: string): number {
  return wordsOf(name).filter((word) => word === 'of').length;
}

/** "Code of kind of address" for "address type code": phrases turned twice, which nobody writes (ADVETA §2.2). */
export function nestedOf(): Omit<NaturalnessRule, 'id'> {
  return {
    appliesTo: 'RPL',
    check(name, { target, column }) {
      const own = target.table.columns[column]?.name ?? '';
      return countOf(name) > Math.max(1, countOf(own)) ? 'says "of" twice' : null;
    },
  };
}

/** Words up to this place in the order of frequency are common enough whatever they stand for. */
const COMMON_RANK = 3_000;

/**
 * "Commonwealth" for "country", "scope" for "range": a replacement of one word by a rarer one that is not usual in
 * schemas reads odd where the plain word was at hand (ADVETA §2.2). Words of the table's name are its own. Of phrases it
 * says nothing: they are rarer than each of their words.
 */
export function rarerWord(context: NaturalnessContext): Omit<NaturalnessRule, 'id'> {
  const baseOf = (word: string): string => context.nounForm(word)?.base ?? word;
  const rankOf = (word: string): number => context.frequencyRank(word) ?? Infinity;
  return {
    appliesTo: 'RPL',
    check(name, { target: { table }, column }) {
      const own = wordsOf(table.columns[column]?.name ?? '');
      if (own.length > 1) return null;
      const ownRank = Math.max(COMMON_RANK, ...own.map((word) => context.frequencyRank(word) ?? 0));
      const known = new Set([...own, ...wordsOf(table.name)].map(baseOf));
      const isOdd = (word: string): boolean =>
        !known.has(baseOf(word)) && !(context.isFamiliar?.(word) ?? false) && rankOf(word) > ownRank;
      const odd = wordsOf(name).find(isOdd);
      return odd === undefined ? null : `"${odd}" is rarer than what it replaces`;
    },
  };
}

/** Limits of the rules. */
export interface NaturalnessLimits {
  /** A word beyond this place in the order of frequency is rare. */
  readonly rareRank: number;
  /** Names with fewer letters are short. */
  readonly minLetters: number;
  /** A short name passes if it is a word of at most this rank: "age", "sex", "fee". */
  readonly shortWordRank: number;
  readonly maxWords: number;
  readonly maxCharacters: number;
}

export const NATURALNESS_LIMITS: NaturalnessLimits = {
  rareRank: 30_000,
  minLetters: 4,
  shortWordRank: 10_000,
  maxWords: 5,
  maxCharacters: 40,
};

type RuleFactory = (context: NaturalnessContext, limits: NaturalnessLimits) => Omit<NaturalnessRule, 'id'>;

/** Acronyms that are at home in column names. */
const COMMON_ACRONYMS = new Set(
  (
    'id gdp gnp gpa url uri isbn issn dna rna ceo cfo cto vip usa uk us eu un iq tv dvd cd pc cpu gpu ram api faq html ' +
    'pdf ip sms gps vat sku kg km cm mm mph kph rpm lb lbs ft mb gb usd eur am pm ad bc nba nfl mlb nhl fifa ncaa mvp ' +
    'imdb phd mba zip atm pin ssn dob bmi hiv er icu ph uv led hdd ssd os ui hr pr rbi era fg pts'
  ).split(' '),
);
const FUNCTION_WORDS = new Set('of in on at by for per to from with and or the a an is as no not'.split(' '));
/** Last words that say nothing of what a column holds. */
const OPAQUE_WORDS = new Set('id ids uid uuid guid code codes key keys pk fk ref no num nr nbr idx'.split(' '));
const OFFENSIVE_WORDS = new Set(
  'bastard bitch cunt dyke fag faggot fuck gook kike nigger paki retard retarded shit slut spic tranny whore wog'.split(
    ' ',
  ),
);
const COUNT_NAME = /^(?:total |overall )?(?:number|count|quantity|amount) of | count$/;

/** Vectors in no order of frequency have no ranks at all; the rules that need them are then silent. */
function hasFrequencies(context: NaturalnessContext): boolean {
  return ['name', 'number', 'time'].some((word) => context.frequencyRank(word) !== null);
}

const SILENT_RULE: Omit<NaturalnessRule, 'id'> = { appliesTo: 'both', check: () => null };

function targetName(target: TargetColumn): string {
  return targetColumn(target).name;
}

function plainWords(name: string): readonly string[] {
  return wordsOf(name).map((word) => word.replace(/'s?$/, ''));
}

/** Places of a table's columns by the keys of their natural and original names. */
const columnsByKey = memoizeObject(({ columns }: Table): ReadonlyMap<string, readonly number[]> => {
  const places = new Map<string, number[]>();
  for (const [place, { name, originalName }] of columns.entries())
    for (const key of new Set([nameKey(name), nameKey(originalName)]))
      places.set(key, [...(places.get(key) ?? []), place]);
  return places;
});

const existingName: RuleFactory = () => ({
  appliesTo: 'both',
  check(name, target) {
    const { table } = target.target;
    // Turned round ("date of birth"), the target's own name is a replacement; in the same order it is none.
    if (spellingKey(name) === spellingKey(targetName(target))) return 'equals the target column';
    const key = nameKey(name);
    const places = columnsByKey(table).get(key) ?? [];
    const equal = table.columns.find((_, i) => i !== target.column && places.includes(i));
    if (equal !== undefined) return `equals the column "${equal.name}"`;
    return [table.name, table.originalName].some((own) => nameKey(own) === key)
      ? `equals the table "${table.name}"`
      : null;
  },
});

/** Up to this many letters, a word that is none is an abbreviation of the schema's own: "cmi", "fte". */
const ABBREVIATION_LETTERS = 4;

const misspelled: RuleFactory = (context) => ({
  appliesTo: 'both',
  check(name, target) {
    const own = plainWords(targetName(target)).filter(({ length }) => length <= ABBREVIATION_LETTERS);
    const isKnown = (word: string): boolean =>
      word.length < 2 ||
      /\d/.test(word) ||
      FUNCTION_WORDS.has(word) ||
      COMMON_ACRONYMS.has(word) ||
      own.includes(word) ||
      context.isWord(word) ||
      context.frequencyRank(word) !== null ||
      (context.isFamiliar?.(word) ?? false);
    const words = plainWords(name);
    if (words.length === 0) return 'holds no word';
    const unknown = words.find((word) => !isKnown(word));
    return unknown === undefined ? null : `"${unknown}" is no known word`;
  },
});

const short: RuleFactory = (context, limits) => {
  const isRanked = hasFrequencies(context);
  const isUsual = (word: string): boolean => {
    if (word.length < 3 || COMMON_ACRONYMS.has(word)) return false;
    return isRanked ? (context.frequencyRank(word) ?? Infinity) <= limits.shortWordRank : context.isWord(word);
  };
  return {
    appliesTo: 'both',
    check(name) {
      const words = plainWords(name);
      const letters = words.join('').length;
      if (letters >= limits.minLetters || (words.length === 1 && isUsual(words[0] ?? ''))) return null;
      return `has ${letters} letters`;
    },
  };
};

const symbols: RuleFactory = () => ({
  appliesTo: 'both',
  check(name) {
    // Hyphens and apostrophes belong to words; alone they are left-overs of a tokenizer: "runner - up", "school 's".
    const odd = /[^\p{L}\p{N}\s'’-]|(?:^|\s)['’-]/u.exec(name.trim());
    return odd === null ? null : `holds "${odd[0].trim()}"`;
  },
});

const digits: RuleFactory = () => ({
  appliesTo: 'both',
  check(name, target) {
    const own: readonly string[] = targetName(target).match(/\d+/g) ?? [];
    const foreign = (name.match(/\d+/g) ?? []).find((number) => !own.includes(number));
    return foreign === undefined ? null : `holds the digits "${foreign}"`;
  },
});

function isOpaque(name: string, context: NaturalnessContext): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  if (OPAQUE_WORDS.has(last)) return words.length === 1 || !context.isWord(words.join(' '));
  return /.(?:id|code)$/.test(last) && !context.isWord(last) && !(context.isFamiliar?.(last) ?? false);
}

const opaque: RuleFactory = (context) => ({
  appliesTo: 'both',
  check(name, target) {
    if (
      !isOpaque(name, context) ||
      isOpaque(targetName(target), context) ||
      wordsOf(targetName(target)).at(-1) === 'identifier'
    )
      return null;
    return `ends in "${wordsOf(name).at(-1) ?? ''}"`;
  },
});

const rareWord: RuleFactory = (context, limits) => {
  const isRanked = hasFrequencies(context);
  const isRare = (word: string): boolean => {
    if (/\d/.test(word) || word.length < 2 || FUNCTION_WORDS.has(word)) return false;
    if (COMMON_ACRONYMS.has(word) || (context.isFamiliar?.(word) ?? false)) return false;
    const forms = [word, context.nounForm(word)?.base ?? word];
    return forms.every((form) => (context.frequencyRank(form) ?? Infinity) > limits.rareRank);
  };
  return {
    appliesTo: 'both',
    check(name, target) {
      if (!isRanked) return null;
      const own = plainWords(targetName(target));
      const rare = plainWords(name).find((word) => !own.includes(word) && isRare(word));
      return rare === undefined ? null : `"${rare}" is a rare word`;
    },
  };
};

const numberAgreement: RuleFactory = (context) => ({
  appliesTo: 'RPL',
  check(name, target, candidate) {
    // The dictionary inflects its candidates itself, and knows that "years of age" stands for "age".
    if (isOfDictionary(candidate)) return null;
    const [own, other] = [targetName(target), name].map((of) => withoutUnit(wordsOf(of)).join(' ')) as [string, string];
    // "number of seats" may stand for "seats".
    if (COUNT_NAME.test(own) || COUNT_NAME.test(other)) return null;
    const [ownNumber, number] = [context.nounForm(own)?.number, context.nounForm(other)?.number];
    const isClear = (value: string | undefined): boolean => value === 'singular' || value === 'plural';
    if (!isClear(ownNumber) || !isClear(number) || ownNumber === number) return null;
    return `is ${number ?? ''} where the target is ${ownNumber ?? ''}`;
  },
});

const wordRepeat: RuleFactory = () => ({
  appliesTo: 'both',
  check(name) {
    const words = plainWords(name)
      .filter((word) => !FUNCTION_WORDS.has(word))
      .map(spellingKey);
    const twice = words.find((word, i) => words.indexOf(word) !== i);
    return twice === undefined ? null : `says "${twice}" twice`;
  },
});

const tooLong: RuleFactory = (_, limits) => ({
  appliesTo: 'both',
  check(name, target) {
    const own = targetName(target);
    const count = wordsOf(name).length;
    if (count > limits.maxWords && count > wordsOf(own).length) return `has ${count} words`;
    const isLong = name.length > limits.maxCharacters && name.length > own.length;
    return isLong ? `has ${name.length} characters` : null;
  },
});

/** "Enrolled student" in a table of students, "capital city" in one of cities: what a row is, and not what it has. */
const rowKind: RuleFactory = (context) => {
  const kindOf = (name: string): string => {
    const last = wordsOf(name).at(-1) ?? '';
    return spellingKey(context.nounForm(last)?.base ?? last);
  };
  return {
    appliesTo: 'ADD',
    check(name, target) {
      const { table } = target.target;
      return kindOf(name) === kindOf(table.name) ? `is what a row of "${table.name}" is` : null;
    },
  };
};

const offensive: RuleFactory = () => ({
  appliesTo: 'both',
  check(name) {
    return wordsOf(name).some((word) => OFFENSIVE_WORDS.has(word)) ? 'holds an offensive word' : null;
  },
});

/** No Latin word belongs into a table whose identifiers have no Latin letter. */
const anotherScript: RuleFactory = () => ({
  appliesTo: 'both',
  check(name, { target }) {
    const isOther = /\p{Script=Latin}/u.test(name) && isWithoutLatin({ tables: [target.table] });
    return isOther ? `is in another script than the columns of "${target.table.originalName}"` : null;
  },
});

/** Every rule by its id, in the order in which they are asked: the surest reasons first. */
const RULES = {
  'existing-name': existingName,
  'another-script': anotherScript,
  offensive,
  symbols,
  digits,
  short,
  misspelled,
  opaque,
  'opaque-column': opaqueColumn,
  unread: unreadColumn,
  'word-repeat': wordRepeat,
  'too-long': tooLong,
  'rare-word': rareWord,
  'number-agreement': numberAgreement,
  filler,
  'row-kind': rowKind,
  'near-repeat': nearRepeat,
  restatement,
  'nested-of': nestedOf,
  'rarer-word': (context) => (hasFrequencies(context) ? rarerWord(context) : SILENT_RULE),
} as const satisfies Record<string, RuleFactory>;

export type NaturalnessRuleId = keyof typeof RULES;

/** Ids of all rules, in the order in which they are asked. */
export const NATURALNESS_RULE_IDS = Object.keys(RULES) as readonly NaturalnessRuleId[];

/** The rules with the given ids (default: all), in the registry's order. */
export function createNaturalnessRules(
  context: NaturalnessContext,
  ids: readonly NaturalnessRuleId[] = NATURALNESS_RULE_IDS,
  limits: Partial<NaturalnessLimits> = {},
): readonly NaturalnessRule[] {
  const all = { ...NATURALNESS_LIMITS, ...limits };
  return NATURALNESS_RULE_IDS.filter((id) => ids.includes(id)).map((id) => ({ id, ...RULES[id](context, all) }));
}
