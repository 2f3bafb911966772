import { mustGet } from '../../present.js';
import type { RunHost } from '../../run/run-host.js';
import { areOpen, type JudgedAnswer, type MeasuredCase } from '../judged-answer.js';
import { judgeSubjects, type SubjectJudging } from '../mutants/judge-subjects.js';
import type { Subject } from '../mutants/subject.js';
import { type RecomposedCase, recomposedQuestions } from './load-recompositions.js';

/** A composition and its parents, judged. */
export interface JudgedRecomposition extends MeasuredCase<readonly [base: JudgedAnswer, element: JudgedAnswer]> {
  readonly case: RecomposedCase;
}

/** Says of the answers to compositions and their parents whether they are right; in the order of the cases. */
export async function judgeRecompositions(
  cases: readonly RecomposedCase[],
  judging: SubjectJudging,
  host: RunHost,
): Promise<readonly JudgedRecomposition[]> {
  const judged = await judgeSubjects(recomposedQuestions(cases), judging, host);
  const judgedOf = ({ id }: Subject): JudgedAnswer => mustGet(judged.get(id), 'judged.get(id)');
  return cases.map((one) => {
    const [base, element] = one.parents;
    const [before, after] = [[judgedOf(base), judgedOf(element)] as const, judgedOf(one.child)];
    return { case: one, before, after, isOpen: areOpen([after, ...before]) };
  });
}
