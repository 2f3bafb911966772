import type { ExactVerdict } from '../../evaluate/exact/exact-match.js';
import type { ExecutionVerdict } from '../../evaluate/execution/execution-match.js';
import type { RunHost } from '../../run/run-host.js';
import type { AnswerMetric } from '../answer-metrics.js';
import type { AnswerScorer, AnswerToScore } from '../answer-scorer.js';
import type { ResultDifference } from '../../report/result-difference.js';
import { saysUnanswerable } from '../says-unanswerable.js';
import type { VictimAnswer } from '../victim.js';
import type { MutantSubject, SeedGroup, Subject } from './subject.js';
import type { SubjectStore } from './subject-store.js';

/** An answer, and what the metrics say of it against the gold; null where there is none, or nothing to execute. */
export interface JudgedAnswer {
  readonly answer: VictimAnswer;
  readonly exact: ExactVerdict | null;
  readonly execution: ExecutionVerdict | null;
}

/** A mutant with what was answered to it and to its seed. */
export interface PairedCase {
  readonly group: Pick<SeedGroup, 'seed'>;
  readonly mutant: MutantSubject;
  readonly before: JudgedAnswer;
  readonly after: JudgedAnswer;
  /** True if one of the two has no answer for a reason that may pass: then nothing is told. */
  readonly isOpen: boolean;
}

/** Checks whether an answer is right by a metric. */
export function isRight(judged: JudgedAnswer, metric: AnswerMetric): boolean {
  return judged[metric]?.outcome === 'correct';
}

/** Checks whether a metric says anything of both sides: gold that has no answer itself tells nothing. */
export function isMeasured({ isOpen, before, after }: PairedCase, metric: AnswerMetric): boolean {
  const outcomes = [before[metric]?.outcome, after[metric]?.outcome];
  return !isOpen && outcomes.every((outcome) => outcome !== undefined && outcome !== 'bad-gold');
}

/** The means of judging answers to subjects. */
export interface SubjectJudging {
  readonly scorer: AnswerScorer;
  readonly world: SubjectStore;
  readonly answerOf: (id: string) => VictimAnswer;
}

/** Of a mutant that nothing answers: right is that the victim says so. */
function judgeUnanswerable(id: string, answer: VictimAnswer): JudgedAnswer {
  const verdict = { id, outcome: saysUnanswerable(answer) ? 'correct' : 'wrong' } as const;
  const exact = { ...verdict, hardness: null, components: null, published: null, differences: [] };
  return { answer, exact, execution: { ...verdict, goldRows: null, alternative: 0, isCut: false } };
}

function toScore(subject: Subject, { world, answerOf }: SubjectJudging): readonly AnswerToScore[] {
  const { id, seed, query } = subject;
  if (query === null) return [];
  const answer: AnswerToScore = {
    id,
    pair: () => ({ group: seed, database: world.schemaOf(subject), gold: query, predicted: answerOf(id).sql ?? '' }),
    source: () => world.sourceOf(subject),
  };
  return [answer];
}

/** Where the results of wrong answers to seeds and mutants differ from those of their gold queries, by id. */
export function differencesOf(
  subjects: readonly Subject[],
  judging: SubjectJudging,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ResultDifference>> {
  return judging.scorer.differences(
    subjects.flatMap((subject) => toScore(subject, judging)),
    signal,
  );
}

/** Says of the answers to seeds and mutants whether they are right, by id: each on its own schema and database. */
export async function judgeSubjects(
  subjects: readonly (Subject | MutantSubject)[],
  judging: SubjectJudging,
  host: RunHost,
): Promise<ReadonlyMap<string, JudgedAnswer>> {
  const answers = subjects.flatMap((subject) => toScore(subject, judging));
  const scores = await judging.scorer.score(answers, host);
  const scored = new Map(scores.map((score) => [score.exact.id, score]));
  return new Map(
    subjects.map((subject) => {
      const { id } = subject;
      const answer = judging.answerOf(id);
      if ('expectation' in subject && subject.expectation === 'unanswerable')
        return [id, judgeUnanswerable(id, answer)];
      const { exact = null, execution = null } = scored.get(id) ?? {};
      return [id, { answer, exact, execution }];
    }),
  );
}
