import { EXACT_COMPONENTS, type ExactComponent, isMatched, ofComponents } from '../exact/components.js';
import type { ExactVerdict } from '../exact/exact-match.js';
import { type ByHardness, type Hardness, ofLevels } from '../exact/hardness.js';
import { type Judged, type LevelScores, pairMetricKind, type PairScores, pairScores } from '../metric-kind.js';
import { countNoun } from '../../counts.js';
import { ratio, scoreRow } from '../report/score-lines.js';
import { type SetCount, type SetScores, sumCounts } from '../linking/schema-linking.js';
import { type OutcomeSummary, share, summarizeOutcomes } from '../summary/accuracy.js';

/** Precision, recall and F1, 0 to 1; null where nothing was predicted or asked for. */
type PartialScores = Pick<SetScores, 'precision' | 'recall' | 'f1'>;

interface ComponentSummary {
  /**
   * As Spider's script: of the pairs where the prediction (the gold) has the component, the share where it matches as a
   * whole.
   */
  readonly whole: PartialScores;
  /** Over what components consist of: columns, conditions, keywords. */
  readonly parts: PartialScores;
}

export interface ExactLevelSummary extends OutcomeSummary {
  readonly components: Readonly<Record<ExactComponent, ComponentSummary>>;
}

export interface ExactSummary {
  /** By the hardness of the gold, and of all pairs. */
  readonly levels: Readonly<Record<Hardness | 'all', ExactLevelSummary>>;
  /** The published evaluator's figures for the same pairs; null if its run would end at a gold query. */
  readonly published: { readonly correct: number; readonly accuracy: number | null; readonly unparsed: number } | null;
  /**
   * The gold queries that the published evaluator can't read: how many, and the first of them; absent where it reads
   * all.
   */
  readonly unreadGold?: { readonly count: number; readonly id: string; readonly reason: string };
  /**
   * Why verdicts differ from the published ones, with their number: "-joins" is wrong here, "+halves" is correct here.
   */
  readonly differences: Readonly<Record<string, number>>;
}

/** As the script writes them: nothing counts as 0, and F1 is 1 where precision and recall are both 0. */
function scoresLikeSpider({ precision, recall, f1 }: PartialScores): PartialScores {
  const isNothing = (precision ?? 0) === 0 && (recall ?? 0) === 0;
  return { precision: precision ?? 0, recall: recall ?? 0, f1: isNothing ? 1 : f1 };
}

function scores(precision: number | null, recall: number | null): PartialScores {
  const sum = (precision ?? 0) + (recall ?? 0);
  if (precision === null && recall === null) return { precision, recall, f1: null };
  return { precision, recall, f1: sum === 0 ? 0 : (2 * (precision ?? 0) * (recall ?? 0)) / sum };
}

function summarizeComponent(counts: readonly SetCount[], compat: boolean): ComponentSummary {
  const shareMatched = (among: readonly SetCount[]): number | null =>
    share(among.filter(isMatched).length, among.length);
  const { gold, predicted, matched } = sumCounts(counts);
  const whole = scores(
    shareMatched(counts.filter((count) => count.predicted > 0)),
    shareMatched(counts.filter((count) => count.gold > 0)),
  );
  return {
    whole: compat ? scoresLikeSpider(whole) : whole,
    parts: scores(share(matched, predicted), share(matched, gold)),
  };
}

function summarizeLevel(verdicts: readonly ExactVerdict[], compat: boolean): ExactLevelSummary {
  const counted = verdicts.flatMap(({ components }) => (components === null ? [] : [components]));
  const ofComponent = (component: ExactComponent): ComponentSummary =>
    summarizeComponent(
      counted.map((counts) => counts[component]),
      compat,
    );
  return { ...summarizeOutcomes(verdicts), components: ofComponents(ofComponent) };
}

function countDifferences(verdicts: readonly ExactVerdict[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome, differences } of verdicts) {
    if (differences.length === 0) continue;
    const key = `${outcome === 'correct' ? '+' : '-'}${differences.join('&')}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function summarizePublished(verdicts: readonly ExactVerdict[]): ExactSummary['published'] {
  const published = verdicts.flatMap((verdict) => (verdict.published === null ? [] : [verdict.published]));
  if (published.length < verdicts.length) return null;
  const correct = published.filter(({ exact }) => exact).length;
  const unparsed = published.filter(({ parsed }) => !parsed).length;
  return { correct, accuracy: share(correct, published.length), unparsed };
}

function summarizeUnread(verdicts: readonly ExactVerdict[]): Pick<ExactSummary, 'unreadGold'> {
  const unread = verdicts.filter(({ published }) => published === null);
  const [first] = unread;
  if (first === undefined) return {};
  return { unreadGold: { count: unread.length, id: first.id, reason: first.publishedFault ?? '' } };
}

/**
 * The tables of exact match: per hardness and per component, next to what the published evaluator says. With `compat`
 * the scores of components are those that its script prints, where F1 is 1 if precision and recall are both 0.
 */
export function summarizeExact(verdicts: readonly ExactVerdict[], compat = false): ExactSummary {
  const summarize = (some: readonly ExactVerdict[]): ExactLevelSummary => summarizeLevel(some, compat);
  const levels = ofLevels((level) => summarize(verdicts.filter(({ hardness }) => hardness === level)));
  return {
    levels: { ...levels, all: summarize(verdicts) },
    published: summarizePublished(verdicts),
    ...summarizeUnread(verdicts),
    differences: countDifferences(verdicts),
  };
}

/** Also per component, and next to the published evaluator. */
export type ExactScores = PairScores &
  Pick<ExactSummary, 'published' | 'unreadGold' | 'differences'> & {
    readonly hardness: ByHardness<LevelScores & Partial<ExactLevelSummary>>;
    readonly components: ExactLevelSummary['components'];
  };

function exactScores(judged: Judged<ExactVerdict>, compat: boolean): ExactScores {
  const scores = pairScores(judged);
  const { levels, published, unreadGold, differences } = summarizeExact(judged.verdicts, compat);
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
    scores: (judged: Judged<ExactVerdict>) => exactScores(judged, compat !== null),
  }),
  lines: (section) => publishedLines(section),
  details: (section) => componentTable(section),
});
