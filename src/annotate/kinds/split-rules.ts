import type { AnnotationItem, SplitTask, StoredAnswer } from '../annotation.js';
import { mustGet } from '../../present.js';
import { AnnotationRefusal } from '../project/annotation-refusal.js';
import type { AnswerRules, RatedPart, Taken } from './answer-rules.js';
import { marksOf, readMark, segmentsOfMarks } from './split-marks.js';

function taskOf({ split, id }: AnnotationItem): SplitTask {
  return mustGet(split, `the question of ${id}`);
}

function isOf(text: string, { tokens, clauses }: SplitTask): boolean {
  const mark = readMark(text);
  if (mark === null || mark.token >= tokens.length) return false;
  const { said } = mark;
  if (said === 'break') return mark.token > 0;
  return !('clause' in said) || said.clause < clauses.length;
}

function stored({ accepted, written }: Taken, item: AnnotationItem): Taken {
  const wrong = accepted.find((text) => !isOf(text, taskOf(item))) ?? written[0];
  if (wrong !== undefined) {
    const what = `${JSON.stringify(wrong)} is no mark of this question`;
    const fix = 'Send marks such as "5:break", "5:clause 2" and "5:extra singer.Name", and leave "written" empty.';
    throw new AnnotationRefusal('bad-answer', what, fix, item.id);
  }
  return { accepted: marksOf(segmentsOfMarks(accepted)), written: [] };
}

/** Returns the answer given word for word by more than half: breaks of one and clauses of another are nobody's. */
function majority(done: readonly StoredAnswer[]): Taken | null {
  const key = ({ accepted }: StoredAnswer): string => JSON.stringify(accepted);
  const winner = done.find((answer) => 2 * done.filter((other) => key(other) === key(answer)).length > done.length);
  return winner === undefined ? null : { accepted: winner.accepted, written: [] };
}

/** Checks whether each token but the first begins a sub-sentence, and whether that of each token says each clause. */
function rated(done: readonly StoredAnswer[], item: AnnotationItem): readonly RatedPart[] {
  const { tokens, clauses } = taskOf(item);
  const answers = done.map(({ accepted }) => segmentsOfMarks(accepted));
  const breaks = answers.map((segments) =>
    tokens.slice(1).map((_, i) => segments.some(({ first }) => first === i + 1)),
  );
  const said = answers.map((segments) =>
    tokens.flatMap((_, token) => {
      const own = segments.findLast(({ first }) => first <= token)?.clauses ?? [];
      return clauses.map((_text, at) => own.some(({ clause }) => clause === at));
    }),
  );
  const parts: readonly RatedPart[] = [
    { part: 'breaks', taken: breaks },
    { part: 'clauses', taken: said },
  ];
  return parts.filter(({ taken }) => taken.some((units) => units.length > 0));
}

/** Marks of a question: where sub-sentences begin, and what each says. */
export const SPLIT_RULES: AnswerRules = { stored, majority, rated };
