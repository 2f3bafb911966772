import type { RunHost } from '../../run/run-host.js';
import type { AnswerScorer, AnswerToScore } from '../../victims/answer-scorer.js';
import type { JudgedAnswer, MeasuredCase } from '../judged-answer.js';
import type { ResultDifference } from '../../report/result-difference.js';
import { saysUnanswerable, type VictimAnswer } from '../../victims/victim.js';
import type { MutantSubject, SeedGroup, Subject, SubjectStore } from './subject-store.js';

/** A mutant with what was answered to it and to its seed. */
export interface PairedCase extends MeasuredCase {
  readonly group: Pick<SeedGroup, 'seed'>;
  readonly mutant: MutantSubject;
}

/** The means of judging answers to subjects. */
export interface SubjectJudging {
  readonly scorer: AnswerScorer;
  readonly store: SubjectStore;
  readonly answerOf: (id: string) => VictimAnswer;
}

/** Of a mutant that nothing answers: right is that the victim says so. */
function judgeUnanswerable(id: string, answer: VictimAnswer): JudgedAnswer {
  const verdict = { id, outcome: saysUnanswerable(answer) ? 'correct' : 'wrong' } as const;
  const exact = { ...verdict, hardness: null, components: null, published: null, differences: [] };
  return { answer, exact, execution: { ...verdict, goldRows: null, alternative: 0, isCut: false } };
}

function toScore(subject: Subject, { store, answerOf }: SubjectJudging): readonly AnswerToScore[] {
  const { id, seed, query } = subject;
  if (query === null) return [];
  const answer: AnswerToScore = {
    id,
    pair: () => ({ group: seed, database: store.schemaOf(subject), gold: query, predicted: answerOf(id).sql ?? '' }),
    source: () => store.sourceOf(subject),
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

/** Says of the answers to questions whether they are right, by id: each on its own schema and database. */
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
