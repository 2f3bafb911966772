import type { EntailmentScorer, StageContext } from '../../../stage.js';
import { itemAt } from '../../../present.js';
import { columnNameKey } from '../../../schema/name-identity.js';

/** Words that questions have for grammar's sake: whether they are there or not says nothing about what is asked. */
const GRAMMAR = new Set(
  (
    'a an the this that these those is are was were be been being am s do does did has have had there it its they them ' +
    'their he she his her i we our you your what which who whom whose of in on at for by to from with as and ' +
    'also than then all any please thank thanks kindly'
  ).split(' '),
);

/** Words for asking and ordering, at the start: "tell me", "I want to know", "find out". */
const OPENING = new Set(
  (
    'tell me us show find list give display return report print provide retrieve compute let know want would like ' +
    'could can out'
  ).split(' '),
);

/** Words that ask the same; the first represents all. */
const SAME: readonly (readonly [string, ...string[]])[] = [
  ['maximum', 'maximal', 'highest', 'largest', 'biggest', 'greatest'],
  ['minimum', 'minimal', 'lowest', 'smallest'],
  ['average', 'mean'],
  ['number', 'count'],
  ['least', 'fewest'],
  ['sum', 'total'],
  ['more', 'greater', 'larger', 'bigger', 'higher', 'over', 'above'],
  ['less', 'fewer', 'smaller', 'lower', 'under', 'below'],
  ['ascending', 'increasing'],
  ['descending', 'decreasing'],
  ['different', 'distinct', 'unique'],
  ['each', 'every', 'per'],
  ['not', 'no', 'never', 'without', 'neither', 'nor', 'none'],
];

/** Words of which no other word takes the place: aggregates, comparisons, orders, negations, what joins conditions. */
const DECISIVE = new Set([
  ...SAME.map(([first]) => first),
  ...'amount most longer shorter longest shortest taller tallest older younger newer'.split(' '),
  ...'oldest youngest newest earlier later earliest latest before after first last best worst better worse'.split(' '),
  ...'or except only some both either'.split(' '),
]);

const FIRST_OF = new Map(SAME.flatMap(([first, ...others]) => others.map((other) => [other, first] as const)));
const NUMBERS = new Map(
  'zero one two three four five six seven eight nine ten'.split(' ').map((word, i) => [word, `${i}`]),
);

/** Words of how many or how much: the last of several in a row says which, "count the total number of". */
const QUANTITY = new Set(['number', 'amount', 'sum']);
const WORD = /-?\p{N}+(?:[.,:]\p{N}+)*|[\p{L}\p{N}]+|[<>=]+/gu;

function keyOf(word: string): string {
  const small = FIRST_OF.get(word) ?? NUMBERS.get(word);
  if (small !== undefined) return small;
  const single = columnNameKey(word);
  return FIRST_OF.get(single) ?? single;
}

/**
 * The words that say what a question asks, in order and in one form: "tell me how many singers there are" is "number
 * singer".
 */
function askedWords(question: string): readonly string[] {
  const plain = question.replace(/n['’]t\b/gi, ' not').replace(/\bhow many\b/gi, 'number of');
  // "IT" and "US" are names.
  const words = (plain.match(WORD) ?? []).map((word) => (/^\p{Lu}{2,}$/u.test(word) ? word : word.toLowerCase()));
  const start = words.findIndex((word) => !GRAMMAR.has(word) && !OPENING.has(word));
  const keys = words
    .slice(start === -1 ? words.length : start)
    .filter((word) => !GRAMMAR.has(word))
    .map((word) => keyOf(word.toLowerCase()));
  return keys.filter((key, i) => !QUANTITY.has(key) || !QUANTITY.has(keys[i + 1] ?? ''));
}

/** Words of `a` that `b` lacks, as often as it lacks them. */
function missing(a: readonly string[], b: readonly string[]): string[] {
  const left = [...b];
  return a.filter((word) => {
    const at = left.indexOf(word);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

/** The words that the second of two wordings lacks, and those that it has instead or besides. */
interface ChangedWords {
  readonly lost: readonly string[];
  readonly gained: readonly string[];
}

function changedWords(before: string, after: string): ChangedWords {
  const [had, has] = [askedWords(before), askedWords(after)];
  const [lost, gained] = [missing(had, has), missing(has, had)];
  // "The amount of" stands for a number as well as for a sum.
  for (const [from, to] of [
    [lost, gained],
    [gained, lost],
  ] as const) {
    while (from.includes('amount') && to.some((word) => QUANTITY.has(word))) {
      from.splice(from.indexOf('amount'), 1);
      to.splice(
        to.findIndex((word) => QUANTITY.has(word)),
        1,
      );
    }
  }
  return { lost, gained };
}

/** Checks whether nothing else can be said in a word's place: a number, "not", "average", "before". */
function isDecisive(word: string): boolean {
  return DECISIVE.has(word) || /\p{N}|[<>=]/u.test(word);
}

/** Why a wording is dropped. */
const GUARD_REASONS = {
  otherwise: 'counts, compares or negates otherwise',
  less: 'leaves out what its seed says',
  more: 'says more than its seed',
  other: 'names something else',
} as const;
export type GuardReason = (typeof GUARD_REASONS)[keyof typeof GUARD_REASONS];

/**
 * Below, words do not replace others: the judge's entailment, the lesser of both directions. Chosen on Spider's train
 * questions (`npm run bench:guard`, tuning part).
 */
const LEAST_ENTAILMENT = 0.45;

/** Two wordings of a question. */
export interface WordingPair {
  readonly before: string;
  readonly after: string;
}

/** Decides by the words alone: a reason, null if they are the same, `undecided` if some replace others. */
function byWords({ lost, gained }: ChangedWords): GuardReason | null | 'undecided' {
  if ([...lost, ...gained].some(isDecisive)) return GUARD_REASONS.otherwise;
  if (lost.length > 0 && gained.length > 0) return 'undecided';
  if (lost.length > 0) return GUARD_REASONS.less;
  return gained.length > 0 ? GUARD_REASONS.more : null;
}

const phraseOf = (words: readonly string[]): string => [...new Set(words)].join(' ');

/**
 * Compares the words of two wordings of a question, but for those of grammar and asking; only where words gave way to
 * others the NLI judge says whether they mean the same, as it does of names of columns.
 */
export class SemanticGuard {
  /** Version of the rule. */
  static readonly fingerprint = `words 1, entailment ${LEAST_ENTAILMENT}`;
  readonly #scorer: EntailmentScorer;

  constructor(scorer: EntailmentScorer) {
    this.#scorer = scorer;
  }

  /** Why each pair is refused, null where it is not; in input order. */
  async judge(pairs: readonly WordingPair[], context: StageContext): Promise<readonly (GuardReason | null)[]> {
    const changes = pairs.map(({ before, after }) => changedWords(before, after));
    const decided = changes.map(byWords);
    const judged = await this.#askJudge(
      changes.filter((_, i) => decided[i] === 'undecided'),
      context,
    );
    let next = 0;
    return decided.map((reason) => (reason === 'undecided' ? itemAt(judged, next++) : reason));
  }

  async #askJudge(changes: readonly ChangedWords[], context: StageContext): Promise<readonly (GuardReason | null)[]> {
    const asked = changes.flatMap(({ lost, gained }) => {
      const [premise, hypothesis] = [phraseOf(lost), phraseOf(gained)];
      return [
        { premise, hypothesis },
        { premise: hypothesis, hypothesis: premise },
      ];
    });
    const scores = await this.#scorer.score(asked, context);
    return changes.map((_, i) => {
      const both = scores.slice(2 * i, 2 * i + 2);
      return both.some(({ entailment }) => entailment < LEAST_ENTAILMENT) ? GUARD_REASONS.other : null;
    });
  }
}
