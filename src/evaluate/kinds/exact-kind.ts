import { EXACT_COMPONENTS } from '../exact/components.js';
import type { ExactVerdict } from '../exact/exact-match.js';
import { type ByHardness, ofLevels } from '../exact/hardness.js';
import type { Judged } from '../judged.js';
import { type LevelScores, pairMetricKind, type PairScores } from '../metric-kind.js';
import { pairScores } from '../pair-scores.js';
import { countNoun } from '../../counts.js';
import { ratio, scoreRow } from '../report/score-lines.js';
import { type ExactLevelSummary, type ExactSummary, summarizeExact } from '../summary/exact-summary.js';

/** Also per component, and next to the published evaluator. */
export type ExactScores = PairScores &
  Pick<ExactSummary, 'published' | 'unreadGold' | 'differences'> & {
    readonly hardness: ByHardness<LevelScores & Partial<ExactLevelSummary>>;
    readonly components: ExactLevelSummary['components'];
  };

function exactScores(judged: Judged<ExactVerdict>, compat: 'spider' | null): ExactScores {
  const scores = pairScores(judged);
  const { levels, published, unreadGold, differences } = summarizeExact(judged.verdicts, { compat });
  const { all } = levels;
  const hardness = ofLevels((level) => ({ ...scores.hardness[level], ...levels[level] }));
  return {
    ...scores,
    hardness: { ...scores.hardness, ...hardness },
    components: all.components,
    published,
    ...(unreadGold === undefined ? {} : { unreadGold }),
    differences,
  };
}

function componentTable({ components }: ExactScores): string[] {
  return [
    scoreRow('component', ['precision', 'recall', 'F1', 'F1 parts']),
    ...EXACT_COMPONENTS.map((component) => {
      const { whole, parts } = components[component];
      return scoreRow(component, [ratio(whole.precision), ratio(whole.recall), ratio(whole.f1), ratio(parts.f1)]);
    }),
  ];
}

function publishedLines({ published, unreadGold, differences, correct }: ExactScores): string[] {
  if (published === null) {
    const { count = 0, id = '', reason = '' } = unreadGold ?? {};
    const which = `${countNoun(count, 'gold query', 'gold queries')}, ${count > 1 ? 'the first ' : ''}${id}${reason === '' ? '' : `: ${reason}`}`;
    return [`  Spider’s published evaluator can’t read ${which}`];
  }
  const reasons = Object.entries(differences).map(([reason, count]) => `${reason} ${count}`);
  if (reasons.length === 0) return [];
  return [
    `  Spider’s published evaluator: ${ratio(published.accuracy)} (${published.correct} instead of ${correct}), ${published.unparsed} predictions that it can’t parse`,
    `  where this says wrong (-) or correct (+) instead: ${reasons.join(', ')}`,
  ];
}

/** Exact set match, under the rules that `--compat` names. */
export const EXACT = pairMetricKind({
  heading: 'exact set match',
  checksGold: true,
  open: ({ exact, compat }) => ({
    metric: exact,
    mode: exact.fingerprint,
    scores: (judged: Judged<ExactVerdict>) => exactScores(judged, compat === null ? null : 'spider'),
  }),
  lines: (section) => publishedLines(section),
  details: (section) => componentTable(section),
});
