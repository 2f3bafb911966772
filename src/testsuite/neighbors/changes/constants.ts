import { renderString } from '../../../sql/dialect.js';
import type { Rng } from '../../../stage.js';
import type { Gold, QueryChange } from '../change.js';
import { limitIsFree } from '../proofs/single-row.js';
import { sameForIntegers } from '../proofs/integer-test.js';
import { ancestorsOf, type ExpressionSite } from '../query-sites.js';
import { pick } from '../../../seeded-rng.js';
import type { Literal } from '../../../sql/ast.js';
import { isAggregate } from '../../../sql/aggregates.js';

/** Functions that take any constant without an error. */
const LENIENT = new Set(
  'coalesce ifnull nullif iif lower upper length trim ltrim rtrim substr substring instr replace round'.split(' '),
);

/** Constants of the query that one becomes, at most. */
const MOST_OTHERS = 3;

/** A constant that any other of its type may stand for. */
interface ConstantSite {
  readonly site: ExpressionSite;
  readonly type: 'number' | 'string';
  /** A string's content, or a number's text. */
  readonly value: string;
}

/** Checks whether a constant is the position of a result column: the whole of a term of GROUP BY or ORDER BY. */
function isPosition(site: ExpressionSite): boolean {
  const ordering = site.clause === 'group' || site.clause === 'order';
  return ordering && ancestorsOf(site).every(({ node }) => node.kind === 'list' || node.kind === 'collate');
}

/**
 * Checks whether the expression around a constant may refuse another one: ESCAPE wants one character, a path its
 * syntax.
 */
function isBound(site: ExpressionSite): boolean {
  if (site.clause === 'window') return true;
  return ancestorsOf(site).some(({ node }, i, ancestors) => {
    if (node.kind === 'like') return node.escape !== null && (ancestors[i - 1] ?? site).node === node.escape;
    if (node.kind === 'binary' && node.operator.startsWith('->')) return true;
    return node.kind === 'function' && !LENIENT.has(node.name.name.toLowerCase()) && !isAggregate(node);
  });
}

function constantOf({ names }: Gold, { node }: ExpressionSite): Pick<Literal, 'type' | 'value'> | null {
  if (node.kind === 'literal') return node;
  if (node.kind !== 'column' || node.column.quote !== 'double') return null;
  const binding = names.get(node.column);
  return binding?.found === null ? { type: 'string', value: node.column.name } : null;
}

/** The numbers and strings of a query that can be changed without making it invalid. */
export function constantSites(gold: Gold): ConstantSite[] {
  return gold.sites.expressions.flatMap((site) => {
    const constant = constantOf(gold, site);
    if (constant?.type !== 'number' && constant?.type !== 'string') return [];
    if (isPosition(site) || isBound(site)) return [];
    return [{ site, type: constant.type, value: constant.value }];
  });
}

/** Other constants of the query that one may be mistaken for, of its type. */
function otherConstants(sites: readonly ConstantSite[], { type, value, site }: ConstantSite): string[] {
  const isLimit = site.clause === 'limit';
  const others = sites.filter((other) => other.type === type && (other.site.clause === 'limit') === isLimit);
  return [...new Set(others.map((other) => other.value))].filter((other) => other !== value).slice(0, MOST_OTHERS);
}

/** Numbers that a double holds to the last digit; a leading zero is part of a code, no number. */
const INTEGER = /^(?:0|[1-9][0-9]{0,14})$/;
const DECIMAL = /^[0-9]{0,9}\.[0-9]{1,5}$/;
/** The step that a decimal is moved by (test suite accuracy, §3.1). */
const STEP = 0.001;
const STEP_DIGITS = 3;
/** The factor that an integer is off by if it is too large or too small for a mistake by one. */
const FACTOR = 10;
/** Random numbers: one of the constant's size, one of any. */
const ANY_SIZE = 1_000_000_000;

function integers(value: number, rng: Rng): number[] {
  const size = 10 ** Math.min(9, String(value).length + 1);
  return [value + 1, value - 1, 0, value * FACTOR, rng.int(size), rng.int(ANY_SIZE)];
}

function decimals(text: string, rng: Rng): string[] {
  const value = Number(text);
  const digits = Math.max(STEP_DIGITS, text.length - text.indexOf('.') - 1);
  const random = rng.next() * Math.max(10, value * 10);
  return [value + STEP, value - STEP, value + 1, value - 1, random].map((other) => other.toFixed(digits));
}

/** Returns replacements for a number's text; none if it is written in another way than plainly. */
function otherNumbers({ value, site }: ConstantSite, rng: Rng): string[] {
  if (DECIMAL.test(value)) return decimals(value, rng);
  if (!INTEGER.test(value)) return [];
  const others = integers(Number(value), rng);
  // A negative LIMIT is no limit, and a negative OFFSET is 0.
  return others.filter((other) => site.clause !== 'limit' || other >= 0).map(String);
}

/** Checks whether a number is counted: `count(1)` counts rows, as `count(2)` does. */
function isCounted({ parent }: ExpressionSite): boolean {
  return parent?.node.kind === 'function' && parent.node.name.name.toLowerCase() === 'count';
}

/** Why another number makes no difference, or null: counted, in a comparison of integers, or a LIMIT of one row. */
function proofOf(gold: Gold, { site }: ConstantSite, value: number): string | null {
  if (isCounted(site)) return 'any number is counted';
  if (site.clause === 'limit') {
    const select = gold.sites.selects.find(({ node }) => node.limit?.count === site.node);
    const limit = select?.node.limit;
    return select === undefined || limit == null || value < 1 ? null : limitIsFree(gold, select, limit);
  }
  const test = ancestorsOf(site).find(({ node }) => node.kind === 'binary' || node.kind === 'between');
  return test === undefined ? null : sameForIntegers(gold, test, { node: site.node, value });
}

/**
 * A number becomes one next to it, a random one, or another of the query; so does a number that is written as a string.
 */
export function* numericConstant(gold: Gold, rng: Rng): Iterable<QueryChange> {
  const constants = constantSites(gold);
  for (const constant of constants) {
    const isNumber = constant.type === 'number';
    const elsewhere = isNumber ? otherConstants(constants, constant) : [];
    for (const other of [...otherNumbers(constant, rng), ...elsewhere]) {
      const text = constant.type === 'string' ? renderString(other) : other;
      const equivalent = constant.type === 'string' ? null : proofOf(gold, constant, Number(other));
      const edit = gold.text.replace(constant.site.node.span, text);
      yield { edit, detail: `${constant.value} → ${other}`, equivalent };
    }
  }
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const MAX_RANDOM = 8;

function randomWord(rng: Rng, most = MAX_RANDOM): string {
  return Array.from({ length: 1 + rng.int(most) }, () => pick(LETTERS, rng)).join('');
}

/** Parts of a string: without its first character, without its last, and a random one. */
function substrings(characters: readonly string[], rng: Rng): string[] {
  const start = rng.int(characters.length);
  const end = start + 1 + rng.int(characters.length - start);
  const parts = [characters.slice(1), characters.slice(0, -1), characters.slice(start, end)];
  return parts.map((part) => part.join(''));
}

function superstrings(value: string, rng: Rng): string[] {
  return [randomWord(rng) + value, value + randomWord(rng), randomWord(rng, 2) + value + randomWord(rng, 2)];
}

/** A pattern keeps the wildcards at its ends when its content becomes another. */
function randomLike(value: string, rng: Rng): string {
  const [, start = '', end = ''] = /^([%_]*)[^]*?([%_]*)$/.exec(value) ?? [];
  return start + randomWord(rng) + end;
}

/** A pattern whose content lacks its first or its last letter, between the same wildcards. */
function shortenedPatterns(value: string): string[] {
  const [, start = '', content = '', end = ''] = /^([%_]*)([^]*?)([%_]*)$/.exec(value) ?? [];
  const letters = [...content];
  if (letters.length < 2 || start + end === '') return [];
  return [letters.slice(1), letters.slice(0, -1)].map((part) => start + part.join('') + end);
}

/** The string in small letters, in capitals, and with a capital first: LIKE takes those of ASCII for equal. */
function otherCases({ site }: ConstantSite, value: string): string[] {
  if (site.parent?.node.kind === 'like') return [];
  const lower = value.toLowerCase();
  return [lower, value.toUpperCase(), lower.slice(0, 1).toUpperCase() + lower.slice(1)];
}

function otherStrings(constant: ConstantSite, rng: Rng): string[] {
  const { value } = constant;
  const characters = [...value];
  const parts = characters.length === 0 ? [] : [...substrings(characters, rng), value.replace(/^%+|%+$/g, '')];
  const random = [randomWord(rng), randomLike(value, rng)];
  const patterns = constant.site.parent?.node.kind === 'like' ? shortenedPatterns(value) : [];
  return [...random, ...patterns, ...parts, ...superstrings(value, rng), ...otherCases(constant, value)];
}

/** A string becomes a random one, a part of itself, or itself with letters around it, in another case, or another of the query. */
export function* stringConstant(gold: Gold, rng: Rng): Iterable<QueryChange> {
  const constants = constantSites(gold);
  for (const constant of constants) {
    const { site, type, value } = constant;
    if (type !== 'string') continue;
    for (const other of [...otherStrings(constant, rng), ...otherConstants(constants, constant)]) {
      // The string itself, which may be its own random part, is in other quotes no other query.
      if (other === value) continue;
      const edit = gold.text.replace(site.node.span, renderString(other));
      yield { edit, detail: `${renderString(value)} → ${renderString(other)}`, equivalent: null };
    }
  }
}
