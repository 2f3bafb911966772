import type { MutationCase } from '../../src/variants/relations/relation.js';
import { pick } from '../../src/seeded-rng.js';
import type { Rng } from '../../src/stage.js';

/** What a kind reads of a case, and what it may draw from. */
interface WrongSource extends MutationCase {
  /** Other questions of the same database, with other golds. */
  readonly others: readonly string[];
}

/** A kind of wrong wording: the question's meaning changed by a rule, null where the rule finds no place. */
type WrongKind = (source: WrongSource, rng: Rng) => string | null;

type Pairs = readonly (readonly [string, string])[];

/** The first word or phrase of a table that a question has, exchanged; null where it has none. */
function exchange(question: string, pairs: Pairs): string | null {
  const rules = [...pairs, ...pairs.map(([a, b]) => [b, a] as const)];
  const found = rules.flatMap(([from, to]) => {
    const index = question.search(new RegExp(`\\b${from}\\b`, 'i'));
    return index < 1 ? [] : [{ index, from, to }];
  });
  const [first] = found.sort((a, b) => a.index - b.index || b.from.length - a.from.length);
  if (first === undefined) return null;
  return question.slice(0, first.index) + first.to + question.slice(first.index + first.from.length);
}

const EXTREMES: Pairs = [
  ['maximum', 'minimum'],
  ['highest', 'lowest'],
  ['largest', 'smallest'],
  ['biggest', 'smallest'],
  ['greatest', 'smallest'],
  ['most', 'least'],
];
const AGGREGATES: Pairs = [
  ['average', 'total'],
  ['mean', 'minimum'],
  ['number of', 'average number of'],
  ['sum', 'average'],
];
const COMPARISONS: Pairs = [
  ['more than', 'less than'],
  ['more than', 'fewer than'],
  ['greater than', 'less than'],
  ['larger than', 'smaller than'],
  ['higher than', 'lower than'],
  ['longer than', 'shorter than'],
  ['older than', 'younger than'],
  ['at least', 'at most'],
  ['or more', 'or less'],
  ['above', 'below'],
  ['over', 'under'],
  ['before', 'after'],
];
const ORDERS: Pairs = [
  ['ascending', 'descending'],
  ['increasing', 'decreasing'],
  ['alphabetical order', 'reverse alphabetical order'],
  ['oldest', 'youngest'],
  ['longest', 'shortest'],
  ['earliest', 'latest'],
  ['most recent', 'oldest'],
];
const NEGATIONS: readonly (readonly [RegExp, string])[] = [
  [/\b(who|that|which|whose \w+) (is|are|was|were|can|has been|have been)\b/i, '$1 $2 not'],
  [/\b(who|that|which) (have|do)\b/i, '$1 do not have'],
  [/\b(who|that|which) has\b/i, '$1 does not have'],
  [/\bwith\b/i, 'without'],
  [/(?<=\w) (from|in|at|on|for)(?= (?:the )?(?:[A-Z"'\d]))/, ' not $1'],
  [/(?<=\w.* )(more|less|older|higher|greater|larger) than\b/i, 'not $1 than'],
];

/** What starts a condition at the end of a question: a clause, else a phrase. */
const CONDITIONS = [
  'who|whose|that|which|where',
  'with|from|in|for|named|called|by|after|before|between|having|over|above',
].map((words) => new RegExp(`^(.*\\w.*?\\w),? (?:${words})\\b(?! (?:of|order)\\b)[^,]*?([.?]?)$`, 'i'));

const escapeRegExp = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** The name of a column that a question has gives way to another of its table. */
function otherColumn({ example: { question }, database }: WrongSource, rng: Rng): string | null {
  const places = database.tables.flatMap(({ columns }) =>
    columns.flatMap(({ name }) => {
      const found = new RegExp(`\\b${escapeRegExp(name)}(s?)\\b`, 'i').exec(question);
      const others = columns.filter((one) => one.name !== name && !question.toLowerCase().includes(one.name));
      return found === null || found.index === 0 || others.length === 0 ? [] : [{ found, others }];
    }),
  );
  if (places.length === 0) return null;
  const longest = Math.max(...places.map(({ found }) => found[0].length));
  const place = pick(
    places.filter(({ found }) => found[0].length === longest),
    rng,
  );
  const { index, 0: text, 1: plural } = place.found;
  return question.slice(0, index) + pick(place.others, rng).name + plural! + question.slice(index + text.length);
}

/** A number becomes one that is near. */
function otherNumber({ example: { question } }: WrongSource, rng: Rng): string | null {
  if (!/\b\d+\b/.test(question)) return null;
  return question.replace(/\b\d+\b/, (digits) => String(Number(digits) + 1 + rng.int(9)));
}

/** A quoted text, or a name within the sentence, gives way to one of another question. */
function otherValue({ example: { question }, others }: WrongSource, rng: Rng): string | null {
  const pattern = /(?<=["“])[^"”]+(?=["”])|(?<=\s')[^']+(?='(?:\s|[.?]))|(?<=[a-z,] )[A-Z][\w-]+(?: [A-Z][\w-]+)*/u;
  const value = pattern.exec(question)?.[0];
  const values = others.flatMap((other) => pattern.exec(other)?.[0] ?? []).filter((one) => !question.includes(one));
  return value === undefined || values.length === 0 ? null : question.replace(value, () => pick(values, rng));
}

function withoutCondition({ example: { question, query } }: WrongSource): string | null {
  if (!/\b(?:where|having)\b/i.test(query ?? '')) return null;
  const condition = CONDITIONS.find((pattern) => pattern.test(question));
  return condition === undefined ? null : question.replace(condition, '$1$2');
}

const byTable =
  (pairs: Pairs): WrongKind =>
  ({ example }) =>
    exchange(example.question, pairs);

/** Kinds of wrong wordings that rules make of a question. What they write is only meant to ask something else. */
export const WRONG_KINDS: Readonly<Record<string, WrongKind>> = {
  negation: ({ example: { question } }) => {
    if (/\b(?:not?|never|without|any)\b/i.test(question)) return null;
    const rule = NEGATIONS.find(([pattern]) => pattern.test(question));
    return rule === undefined ? null : question.replace(...rule);
  },
  comparison: byTable(COMPARISONS),
  number: otherNumber,
  extreme: byTable(EXTREMES),
  aggregate: byTable(AGGREGATES),
  condition: withoutCondition,
  column: otherColumn,
  order: byTable(ORDERS),
  value: otherValue,
  all: byTable([
    ['all', 'some'],
    ['each', 'one'],
    ['different', ''],
    ['distinct', ''],
  ]),
  another: ({ others }, rng) => (others.length === 0 ? null : pick(others, rng)),
};
