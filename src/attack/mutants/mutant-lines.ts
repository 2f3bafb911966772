import { formatTenths } from '../../report/figures.js';
import { alignColumns } from '../../report/text-table.js';
import { ANSWER_METRICS, type AnswerMetric } from '../../victims/answer-metrics.js';
import { renderPairedLines } from '../../victims/mutants/paired-lines.js';
import type { MutantReport, MutantScore } from './mutant-report.js';

const HEAD = ['mutants', 'questions', 'exact match', 'execution'];

/** "43.3 → 40.0 ± 1.2 (-3.3)": on the original tables and on mutants, standard deviation over the seeds, change. */
function renderScore(score: MutantScore | undefined): string {
  if (score === undefined) return '–';
  const { original, accuracy, std } = score;
  const change = accuracy - original;
  const signed = `${change < 0 ? '-' : '+'}${formatTenths(Math.abs(change))}`;
  const spread = std === null ? '' : ` ± ${formatTenths(std)}`;
  return `${formatTenths(original)} → ${formatTenths(accuracy)}${spread} (${signed})`;
}

/** Accuracy by kind of change, in percent, and the kinds and levels whose change is larger than chance. */
export function renderMutantTable({ scores, paired }: MutantReport): readonly string[] {
  const whole = scores.filter(({ level }) => level === null);
  const rows = [...new Set(whole.map(({ relation }) => relation))].map((relation) => {
    const of = (metric: AnswerMetric): MutantScore | undefined =>
      whole.find((score) => score.relation === relation && score.metric === metric);
    const questions = Math.max(...ANSWER_METRICS.map((metric) => of(metric)?.questions ?? 0));
    return [relation, String(questions), renderScore(of('exact')), renderScore(of('execution'))];
  });
  return [...alignColumns([HEAD, ...rows]), ...renderPairedLines(paired)];
}
