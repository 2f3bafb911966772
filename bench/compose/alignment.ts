import type { AlignedQuestion } from '../../src/compositional/align/aligned-question.js';

/** Aligned pairs of a segment and a clause against people's. */
export interface AlignmentScore {
  readonly questions: number;
  readonly pairs: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** Of the half of the pairs with the highest confidence. */
  readonly confidentPrecision: number;
  /** The same of questions with more than one segment, where there is something to distinguish. */
  readonly splitF1: number;
  readonly splitConfidentPrecision: number;
}

interface Judged {
  readonly confidence: number;
  readonly isRight: boolean;
  readonly isSplit: boolean;
}

interface Counts {
  right: number;
  given: number;
  wanted: number;
}

function f1Of({ right, given, wanted }: Counts): number {
  return given + wanted === 0 ? 1 : (2 * right) / (given + wanted);
}

function precisionOfHalf(pairs: readonly Judged[]): number {
  const half = [...pairs].sort((a, b) => b.confidence - a.confidence).slice(0, Math.ceil(pairs.length / 2));
  return half.length === 0 ? 1 : half.filter(({ isRight }) => isRight).length / half.length;
}

/** Compares alignments of the same questions in the same segments. */
export function scoreAlignments(
  pairs: readonly (readonly [given: AlignedQuestion, people: AlignedQuestion])[],
): AlignmentScore {
  const judged: Judged[] = [];
  const [all, split]: readonly [Counts, Counts] = [
    { right: 0, given: 0, wanted: 0 },
    { right: 0, given: 0, wanted: 0 },
  ];
  for (const [given, people] of pairs) {
    const isSplit = people.segments.length > 1;
    for (const [s, segment] of given.segments.entries()) {
      const wanted = new Set(people.segments[s]?.links.map(({ clause }) => clause));
      const own = segment.links.map(({ clause, confidence }) => ({ confidence, isRight: wanted.has(clause), isSplit }));
      judged.push(...own);
      for (const counts of isSplit ? [all, split] : [all]) {
        counts.right += own.filter(({ isRight }) => isRight).length;
        counts.given += own.length;
        counts.wanted += wanted.size;
      }
    }
  }
  return {
    questions: pairs.length,
    pairs: judged.length,
    precision: all.right / all.given,
    recall: all.right / all.wanted,
    f1: f1Of(all),
    confidentPrecision: precisionOfHalf(judged),
    splitF1: f1Of(split),
    splitConfidentPrecision: precisionOfHalf(judged.filter(({ isSplit }) => isSplit)),
  };
}
