import { describe, expect, it } from 'vitest';
import { EXACT_COMPONENTS, isMatched } from '../../../src/evaluate/exact/components.js';
import { ExactMatch, type ExactVerdict } from '../../../src/evaluate/exact/exact-match.js';
import {
  DEV_SETS,
  hasVerdicts,
  isFull,
  NEEDS_VERDICTS,
  type PublishedLine,
  readPairs,
  readVerdicts,
} from '../evaluation-files.js';

/** A verdict as a line of the published evaluator's. */
function publishedLine(index: number, { hardness, components, published }: ExactVerdict): PublishedLine {
  const below = EXACT_COMPONENTS.filter((component) => components === null || !isMatched(components[component]));
  return {
    index,
    hardness: hardness ?? '',
    parsed: published?.parsed === true,
    exact: Number(published?.exact),
    partial_below_1: Object.fromEntries(below.map((component) => [component, [0, 0]] as const)),
  };
}

/** Every reason for which the default comparison says other than the published evaluator, with its count; + where it says equal. */
function countReasons(verdicts: readonly ExactVerdict[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome, differences } of verdicts) {
    if (differences.length === 0) continue;
    const key = `${outcome === 'correct' ? '+' : '-'}${differences.join('&')}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/** Counted once and looked through: models without join conditions (dev_2, dev_4 to dev_7), DISTINCT left out, keys mixed up, OR in a join condition (misread). */
const REASONS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  dev_1: { '-joins': 6, '-foreign-keys': 3, '-distinct': 6, '-syntax': 2, '-names': 1, '+halves': 4 },
  dev_2: {
    '-distinct': 31,
    '-joins': 105,
    '-joins&foreign-keys': 37,
    '-distinct&joins': 20,
    '-old-parser-misreads': 4,
  },
  dev_3: {
    '-joins': 9,
    '-joins&foreign-keys': 4,
    '-distinct': 1,
    '-distinct&joins': 2,
    '-distinct&joins&foreign-keys': 1,
    '-old-parser-misreads': 1,
    '-names': 1,
  },
  dev_4: {
    '-distinct': 29,
    '-joins': 127,
    '-joins&foreign-keys': 38,
    '-distinct&joins': 18,
    '-old-parser-misreads': 4,
    '-foreign-keys&compared-columns': 1,
    '+operands': 2,
  },
  dev_5: {
    '-distinct': 30,
    '-joins': 123,
    '-joins&foreign-keys': 39,
    '-distinct&joins': 16,
    '-old-parser-misreads': 4,
    '-foreign-keys': 1,
    '+operands': 1,
  },
  dev_6: {
    '-distinct': 27,
    '-joins': 149,
    '-joins&foreign-keys': 47,
    '-distinct&joins': 20,
    '-old-parser-misreads': 4,
    '+operands': 1,
  },
  dev_7: {
    '-distinct': 25,
    '-joins': 149,
    '-joins&foreign-keys': 48,
    '-distinct&joins': 21,
    '-old-parser-misreads': 4,
    '+operands': 2,
    '+halves': 1,
  },
  predict: { '-foreign-keys': 1, '-distinct': 5 },
};

const SETS = isFull ? [...DEV_SETS, 'predict' as const] : (['dev_1', 'dev_4', 'predict'] as const);

describe.skipIf(!hasVerdicts)(`exact match against the published evaluator${NEEDS_VERDICTS}`, () => {
  it.each(SETS)('says of every pair of %s what it says: hardness, parsed, exact and each component', (set) => {
    const metric = new ExactMatch({ compat: 'spider' });
    const ours = readPairs(set).map((pair, i) => publishedLine(i, metric.judgePair(pair)));
    expect(ours).toEqual(readVerdicts(set));
  });

  it.each(SETS)('by default it differs on %s for named reasons only', (set) => {
    const metric = new ExactMatch();
    const verdicts = readPairs(set).map((pair) => metric.judgePair(pair));
    const theirs = readVerdicts(set);
    const unexplained = verdicts.filter(
      ({ outcome, differences }, i) => (outcome === 'correct') !== (theirs[i]?.exact === 1) && differences.length === 0,
    );
    expect(unexplained).toEqual([]);
    expect(verdicts.map(({ hardness }) => hardness)).toEqual(theirs.map(({ hardness }) => hardness));
    expect(countReasons(verdicts)).toEqual(REASONS[set]);
  });

  it('finds every gold query of Spider dev correct against itself, in both modes', () => {
    for (const compat of ['spider', null] as const) {
      const metric = new ExactMatch({ compat });
      const wrong = readPairs('gold').filter((pair) => metric.judgePair(pair).outcome !== 'correct');
      expect(wrong).toEqual([]);
    }
  });
});
