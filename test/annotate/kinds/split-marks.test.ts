import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type MarkedSegment,
  marksOf,
  mergedClauses,
  segmentsOfMarks,
  tokensOfQuestion,
} from '../../../src/annotate/kinds/split-marks.js';
import {
  moveBreak,
  sayingOf,
  segmentAt,
  stepClause,
  toggleBreak,
  toggleExtra,
} from '../../../src/annotate/web/split/split-edits.js';

const TOKENS = 12;
const CLAUSES = 5;

/** What someone did to a question, one step after the other. */
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('break' as const), token: fc.integer({ min: 0, max: TOKENS - 1 }) }),
    fc.record({
      kind: fc.constant('clause' as const),
      token: fc.integer({ min: 0, max: TOKENS - 1 }),
      clause: fc.integer({ min: 0, max: CLAUSES - 1 }),
    }),
    fc.record({
      kind: fc.constant('extra' as const),
      token: fc.integer({ min: 0, max: TOKENS - 1 }),
      column: fc.constantFrom('singer.Name', 'Dome.Opening Date', 'a:b.c 4:break'),
    }),
  ),
  { maxLength: 40 },
);

const segmentations = steps.map((done) =>
  done.reduce<readonly MarkedSegment[]>((segments, step) => {
    if (step.kind === 'break') return toggleBreak(segments, step.token);
    const at = segmentAt(segments, step.token);
    return step.kind === 'clause' ? stepClause(segments, at, step.clause) : toggleExtra(segments, at, step.column);
  }, segmentsOfMarks([])),
);
const firsts = (segments: readonly MarkedSegment[]): readonly number[] => segments.map(({ first }) => first);
const said = (segments: readonly MarkedSegment[]): ReadonlySet<number> =>
  new Set(segments.flatMap(({ clauses }) => clauses.map(({ clause }) => clause)));

describe('marks', () => {
  it('are read as they were written, in whatever order they come', () => {
    fc.assert(
      fc.property(segmentations, fc.infiniteStream(fc.nat()), (segments, keys) => {
        const marks = marksOf(segments);
        expect(segmentsOfMarks(marks)).toEqual(segments);
        const mixed = marks.map((mark) => ({ mark, key: keys.next().value as number })).sort((a, b) => a.key - b.key);
        expect(marksOf(segmentsOfMarks(mixed.map(({ mark }) => mark)))).toEqual(marks);
      }),
    );
  });

  it('of a token within a sub-sentence are that sub-sentence’s', () => {
    expect(segmentsOfMarks(['4:break', '6:clause 1', '2:extra a.b', 'no mark'])).toEqual([
      { first: 0, clauses: [], extra: ['a.b'] },
      { first: 4, clauses: [{ clause: 1, unmentioned: false }], extra: [] },
    ]);
  });

  it('say a clause in full where it is said both with and without a word of its column', () => {
    const both = [true, false].map((unmentioned) => ({ clause: 2, unmentioned }));
    expect(mergedClauses(both, [])).toEqual([{ clause: 2, unmentioned: false }]);
  });
});

describe('breaks', () => {
  it('are set and unset again, and no clause is lost by it', () => {
    fc.assert(
      fc.property(segmentations, fc.integer({ min: 1, max: TOKENS - 1 }), (segments, token) => {
        const once = toggleBreak(segments, token);
        const twice = toggleBreak(once, token);
        expect(firsts(once).includes(token)).toBe(!firsts(segments).includes(token));
        expect(firsts(twice)).toEqual(firsts(segments));
        expect(said(once)).toEqual(said(segments));
        if (!firsts(segments).includes(token)) expect(twice).toEqual(segments);
      }),
    );
  });

  it('never leave the question without its first', () => {
    expect(firsts(toggleBreak(segmentsOfMarks([]), 0))).toEqual([0]);
  });

  it('move with what their sub-sentence says, between their neighbors', () => {
    const segments = segmentsOfMarks(['3:break', '3:clause 1', '5:break']);
    const moved = moveBreak(segments, 3, 1, TOKENS);
    expect(marksOf(moved)).toEqual(['4:break', '4:clause 1', '5:break']);
    expect(moveBreak(moved, 4, 1, TOKENS)).toBe(moved);
    expect(moveBreak(segments, 0, 1, TOKENS)).toBe(segments);
    expect(moveBreak(segmentsOfMarks([`${TOKENS - 1}:break`]), TOKENS - 1, 1, TOKENS)).toHaveLength(2);
  });
});

describe('clauses', () => {
  it('go from unsaid to said, to said without a word of the column, and back', () => {
    let segments = segmentsOfMarks(['3:break']);
    const seen = [0, 1, 2].map(() => {
      segments = stepClause(segments, 1, 2);
      return sayingOf(segments[1]!, 2);
    });
    expect(seen).toEqual(['said', 'unmentioned', 'unsaid']);
  });
});

describe('tokens', () => {
  const textsOf = (question: string): readonly string[] =>
    tokensOfQuestion(question).map(({ start, end }) => question.slice(start, end));

  it('are words, with what joins their parts, and marks', () => {
    expect(textsOf("Show the singer's fees, over 3.5 in São-Paulo!")).toEqual([
      ...['Show', 'the', "singer's", 'fees', ',', 'over', '3.5', 'in', 'São-Paulo', '!'],
    ]);
  });

  it('begin where tokens of Spider-SS do', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (question) => {
        const theirs = new Set([...question.matchAll(/\w+|'s|[^\w\s]/gu)].map(({ index }) => index));
        expect(tokensOfQuestion(question).filter(({ start }) => !theirs.has(start))).toEqual([]);
      }),
    );
  });
});
