import { itemAt } from '../../present.js';
import type { CasesSection, CaseSide, ReportCase } from '../../report/document/case.js';
import { lowestRanked } from '../../report/document/lowest-ranked.js';
import { casesOf } from '../../report/document/sections.js';
import type { ComparedRun } from './compared-runs.js';
import { type AttackReport, measuredMetrics } from '../attack/attack-report.js';
import { attackSides, CASE_STATUS_LABELS } from '../attack/report/attack-cases.js';
import { changeOf } from '../reported-answer.js';
import { commonMetrics, keyCases, type KeyedCase } from './compare-runs.js';

/** What a run answered to a case, as one side. */
function sideOf({ one, variant }: KeyedCase, { scores }: AttackReport, label: string): CaseSide {
  const bare = { ...one.original, kind: 'ADD' as const, changes: [], gold: one.gold, seed: 0, queries: 1 };
  const sides = attackSides(one, variant ?? bare, measuredMetrics(scores));
  return { ...sides[variant === null ? 0 : 1], label };
}

/** Cases of both runs by the first metric of both, what the first answered before what the second did. */
export function compareCases(runs: readonly ComparedRun<AttackReport>[]): CasesSection {
  const [first, second] = [itemAt(runs, 0).report, itemAt(runs, 1).report];
  const [metric] = commonMetrics(first, second);
  const theirs = keyCases(second);
  const cases = [...keyCases(first)].flatMap(([key, ours]): readonly ReportCase[] => {
    const other = theirs.get(key);
    if (other === undefined || metric === undefined) return [];
    const { one, condition, variant, answer } = ours;
    return [
      {
        id: `${one.id}/${condition}${variant === null ? '' : `/${variant.seed}`}`,
        question: one.question,
        gloss: variant === null ? 'original tables' : `${condition}, seed ${variant.seed}`,
        status: changeOf(answer[metric], other.answer[metric]) ?? 'none',
        facets: {
          condition,
          answer: answer.predicted === other.answer.predicted ? 'the same' : 'another',
          ...(one.hardness !== null && { hardness: one.hardness }),
          database: one.dbId,
        },
        reason: null,
        sides: [sideOf(ours, first, 'First run'), sideOf(other, second, 'Second run')],
        notes: [],
      },
    ];
  });
  const [broken, fixed] = ['broken', 'fixed'].map((turn) => cases.filter(({ status }) => status === turn));
  const shortest = (some: readonly ReportCase[] = []) => lowestRanked(some, ({ question }) => question.length)?.id;
  const open = shortest(broken) ?? shortest(fixed) ?? null;
  return casesOf(CASE_STATUS_LABELS, ['condition', 'answer', 'hardness', 'database'], cases, open);
}
