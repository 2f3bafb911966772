import type { Span } from '../../sql/tokenizer.js';

/**
 * How a name stands in a text: `code` as a part of SQL or of a formula, `naming` where the text says which column it
 * means ("owner refers to DisplayName"), `predicate` where it says in words what a value is ("'Business' is the major
 * name"), `prose` anywhere else; null where it can be no column (a function, a table before a dot, part of a literal).
 */
export type MentionPlace = 'quoted' | 'code' | 'naming' | 'predicate' | 'prose';

/** Functions of formulas in words, which may have a space before their parenthesis. */
const SPACED_FUNCTIONS = 'avg|count|divide|max|min|month|multiply|subtract|sum|year';
const FUNCTIONS =
  'abs|avg|cast|count|date|datetime|day|divide|julianday|length|lower|max|min|month|multiply|round|strftime|substr|subtract|sum|time|total|upper|year';

const LITERAL = String.raw`(?:['"‘’“”]|[-+]?\d|true\b|false\b|null\b|[-+]\s*$)`;
const COMPARISON = String.raw`(?:[=≠≥≤]|[<>]\s?=?|!\s?=|<>|(?:not\s+)?(?:like|between)\b|(?:not\s+)?in\s*\()`;

const AFTER_CODE = new RegExp(
  String.raw`^\s*(?:${COMPARISON}|[-:]\s*'|(?:contains?|includes?|equals?)\s+['"\d]|is\s+(?:not\s+)?(?:null\b|empty\b|['"])|has\s+(?:no\s+)?values?\b)`,
  'iu',
);
/** A comparison with a literal; "is" and a formula may also follow a phrase: "average price = AVG(price)". */
const COMPARED_WITH_LITERAL = new RegExp(
  String.raw`^\s*(?:[=<>≠≥≤!]+(?:\s?[=<>])?\s*${LITERAL}|is\s+(?:not\s+)?(?:null|empty)\b|(?!is\b|[=<>≠≥≤!])\S)`,
  'iu',
);
/** Words that a column may follow without being part of a phrase with them. */
const BEFORE_COLUMN = /^(?:and|or|where|when|if|the|to|that|means?|with|by|than)$/iu;
const CALL = /^\s?\(/;
const FUNCTION = new RegExp(`^(?:${FUNCTIONS})$`, 'i');
const INSIDE_CALL = new RegExp(
  String.raw`(?:[\p{L}_]\(|\b(?:${SPACED_FUNCTIONS})\s\(|[[(]\s*\()\s*(?:distinct\s+)?$`,
  'iu',
);
/** "name of card = 'Duress'". */
const OF_COMPARED = /^\s+of\s+(?:the\s+)?\p{L}+\s*=\s*['"]/iu;
const ENDS_TERM =
  /^\s*(?:$|[)\],;.]|[-+*/]|[<>=!]|(?:where|when|is|in|like|between|and|or|not|as|of|for|asc|desc|else|end|then|from)\b)/iu;
const AFTER_OPERATOR = /(?:[=<>]|(?<=[\s)\]`])[-+*/]|(?<=[\p{L}\p{N}_])\+)\s*$/u;
const BEFORE_OPERATOR = /^(?:\s+[-*/]\s+(?=[\p{L}`[(\d])|\s*\+\s*(?=[\p{L}`]))/u;
const AFTER_KEYWORD = /(?:^|[\s(])(?:SELECT|DISTINCT|BY|WHERE|AND|OR|THEN|ELSE|WHEN|ON|HAVING)\s+$/u;

const LINK = String.raw`(?:\brefer\w*(?:\s+to)?|\bmeans?(?:\s+that)?|\bstands?\s+for|\brepresents?|\bmapps?\s+to|\bpertains?\s+to|\bdenotes?|\bdescribes?)`;
const DETERMINER = String.raw`(?:(?:the|a|an|both|all|that|whose|when|where|column|columns|field|distinct|unique|oldest|youngest|latest|earliest|highest|lowest|largest|smallest|maximum|minimum)\s+)*`;
const AFTER_LINK = new RegExp(String.raw`${LINK}\s*\(?\s*${DETERMINER}$`, 'iu');
const POINTED_AT = new RegExp(
  String.raw`(?:(?<=['"\d])\s+in|\b(?:columns?|fields?|(?:records?|information|data|appears?|found|presented|stored|mentioned|shown)\s+(?:in|by)|based\s+on|(?:strings?|characters?|digits?)\s+of))\s+(?:the\s+)?(?:columns?\s+)?$`,
  'iu',
);
const POINTED_BACK = /^\s+(?:values?|columns?|fields?)\b/iu;
const ENDS_NAMING =
  /^\s*(?:$|[;.,)\n+/&]|(?:and|or|where|when|which|that|whose|with)\b|(?:names?|numbers?)\s*(?:$|[;.,])|from\s+\p{L}|is\s|are\s|has\s|contains?\b|includes?\b)/iu;
const AFTER_IS = /\b(?:is|are)\s+(?:(?:both|the|a|an)\s+)*$/iu;
const AFTER_NAME_OF = /\b(?:is|are)\s+(?:(?:the|a|an)\s+)?names?\s+of\s+(?:the\s+)?$/iu;
const ENDS_PREDICATE = /^\s*(?:$|[;.,)\n=]|(?:names?|of|and|or|which|that|where|from|in)\b)/iu;
const AND_NEXT = /^\s*(?:,|\band\b|\bor\b|[+/&]|,\s*and\b)\s*(?:the\s+)?$/iu;

/** A name's surroundings, without the quotes that it fills. */
export interface Surroundings {
  readonly before: string;
  readonly name: string;
  readonly after: string;
}

/** Checks whether a name can be no column: it is called, or it comes before the dot of one. */
export function isNoColumn({ name, after }: Surroundings): boolean {
  return (CALL.test(after) && FUNCTION.test(name)) || /^\.[\p{L}_`]/u.test(after);
}

/** The word before the dot in front of a name, without quotes; null where there is none. */
export function qualifierOf(before: string): string | null {
  const name = /(?:`([^`]+)`|"([^"]+)"|([\p{L}\p{N}_]+))\.$/u.exec(before);
  return name?.[1] ?? name?.[2] ?? name?.[3] ?? null;
}

/** The literal that a name is compared with or that it follows, in lower case; null where there is none. */
export function literalAfter(after: string): string | null {
  const literal =
    /^\s*(?:[=<>!≥≤\s]+|(?:not\s+)?(?:like|in|between|is|contains?|includes?)\b)\s*\(?\s*(?:'((?:[^']|'')*)'|"([^"]*)"|([-+]?[\d.]+))/iu.exec(
      after,
    );
  const value = literal?.[1]?.replaceAll("''", "'") ?? literal?.[2] ?? literal?.[3];
  return value === undefined
    ? null
    : value
        .replace(/^%+|%+$/g, '')
        .trim()
        .toLowerCase();
}

/** The function that a name is given to, in lower case; null where it is given to none. */
export function callAround(before: string): string | null {
  return /([\p{L}_]+)\s?\(\s*(?:distinct\s+)?(?:[\p{L}\p{N}_]+\.)?$/iu.exec(before)?.[1]?.toLowerCase() ?? null;
}

const depthOf = (before: string): number => {
  const clause = before.slice(before.lastIndexOf(';') + 1);
  return [...clause.matchAll(/[[(]/g)].length - [...clause.matchAll(/[\])]/g)].length;
};

const LINK_AHEAD = new RegExp(`^[^;\\n]*?${LINK}`, 'iu');

/**
 * Checks whether what comes before a place is what the same sentence explains afterwards: "highest score refers to …".
 */
export function isExplained(after: string): boolean {
  return LINK_AHEAD.test(after) || /^[^;\n]*?\s=\s/u.test(after);
}

/** Checks whether a name is compared; with a formula only where no other word belongs to it ("average price = …"). */
function isCompared({ before, name, after }: Surroundings): boolean {
  if (OF_COMPARED.test(after)) return true;
  if (!AFTER_CODE.test(after)) return false;
  // "votes between 5 and 10 refers to …" is the question's phrase.
  if (/^\s*\p{L}/u.test(after) && LINK_AHEAD.test(after) && !/\p{Lu}|_/u.test(name)) return false;
  if (COMPARED_WITH_LITERAL.test(after)) return true;
  const word = /(\p{L}+)\s+$/u.exec(before)?.[1];
  return !/\s/u.test(name) && (word === undefined || BEFORE_COLUMN.test(word));
}

/** Checks whether a name is a part of SQL or of a formula. */
export function isCode(place: Surroundings): boolean {
  const { before, after } = place;
  if (isCompared(place)) return true;
  if (!ENDS_TERM.test(after)) return false;
  if (INSIDE_CALL.test(before) || AFTER_KEYWORD.test(before)) return true;
  if (AFTER_OPERATOR.test(before)) return true;
  if (BEFORE_OPERATOR.test(after)) return depthOf(before) > 0 || AFTER_LINK.test(before) || /[=*/]\s*$/u.test(before);
  return depthOf(before) > 0 && /,\s*$/.test(before) && /^\s*(?:[),<>=]|(?:where|and)\b)/iu.test(after);
}

/** Checks whether a text says at this place which column it means. */
export function isNaming({ before, after }: Surroundings): boolean {
  if (POINTED_AT.test(before) && /^\s*(?:$|[;.,)\n]|\p{L})/u.test(after)) return true;
  if (POINTED_BACK.test(after)) return true;
  return AFTER_LINK.test(before) && ENDS_NAMING.test(after);
}

/** Checks whether a text says in words that a value is of this name: "TR000 is the molecule id". */
export function isPredicate({ before, after }: Surroundings): boolean {
  return (AFTER_IS.test(before) && ENDS_PREDICATE.test(after)) || AFTER_NAME_OF.test(before);
}

/** Checks whether two names are neighbors in a list: "first_name, last_name". */
export function isListed(between: string, after: string): boolean {
  return AND_NEXT.test(between) && ENDS_NAMING.test(after);
}

// An apostrophe between letters belongs to its word; a quote that does not close before a semicolon is none.
const LITERALS =
  /`[^`]*`|"[^";\n]*"|“[^”;\n]*”|(?<![\p{L}\p{N}])'(?:''|(?<=\p{L})'(?=\p{L})|[^';\n])*'(?![\p{L}\p{N}])/gu;

/** The quoted parts of a text, quotes included. */
export function quotedSpans(text: string): readonly Span[] {
  return [...text.matchAll(LITERALS)].map(({ index, 0: quoted }) => ({ start: index, end: index + quoted.length }));
}
