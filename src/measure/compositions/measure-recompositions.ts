import { renderJsonLines } from '../../formats/json-output.js';
import type { RunHost } from '../../run/run-host.js';
import { type CaseOutcomes, outcomesOf } from '../judged-answer.js';
import { differencesOf, type SubjectJudging } from '../mutants/judge-subjects.js';
import { type JudgedRecomposition, judgeRecompositions } from './judge-recompositions.js';
import type { Recompositions } from './load-recompositions.js';
import type { RecompositionReport } from './recomposition-report.js';
import { shownRecompositions, summarizeRecompositions } from './summarize-recompositions.js';

/** A line of `recompositions.jsonl`: the verdicts on a composition; its answers are in `answers.jsonl`. */
interface RecompositionLine extends CaseOutcomes {
  readonly id: string;
  readonly kind: string;
  readonly hardness: string | null;
  /** Question ids of the base and of the element's question. */
  readonly parents: readonly string[];
}

/** Says of one composition what was found. */
function lineOf(judged: JudgedRecomposition): RecompositionLine {
  const { composition, parents } = judged.case;
  const { id, kind, hardness } = composition;
  return { id, kind, hardness, parents: parents.map((parent) => parent.id), ...outcomesOf(judged) };
}

/** The findings on compositions, and the file with a line for each; null and none where none were asked. */
interface MeasuredRecompositions {
  readonly compositions: RecompositionReport | null;
  readonly files: Readonly<Record<string, Iterable<string>>>;
}

/** Judges the answers to compositions and their parents, and sums them up. */
export async function measureRecompositions(
  asked: Recompositions | null,
  judging: SubjectJudging,
  seed: number,
  host: RunHost,
): Promise<MeasuredRecompositions> {
  if (asked === null) return { compositions: null, files: {} };
  const judged = await judgeRecompositions(asked.cases, judging, host);
  const shown = shownRecompositions(judged, seed).map((one) => one.case.child);
  const differences = await differencesOf(shown, judging, host.signal);
  return {
    compositions: summarizeRecompositions(asked, judged, seed, differences),
    files: { 'recompositions.jsonl': renderJsonLines(judged.map(lineOf)) },
  };
}
