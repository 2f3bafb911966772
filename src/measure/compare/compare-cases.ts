import { itemAt } from '../../present.js';
import type { CasesSection, CaseSide, ReportCase } from '../../report/document/case.js';
import type { ComparedRun } from './compared-runs.js';
import type { AttackCase, AttackReport } from '../attack/attack-report.js';
import { attackSides, CASE_STATUS_LABELS } from '../attack/report/attack-cases.js';
import { measuredMetrics, statusOf } from '../attack/report/case-status.js';
import { caseKey } from './compare-runs.js';

/** A case of one run with its answer, on the original tables or on perturbed ones. */
interface Asked {
  readonly one: AttackCase;
  readonly condition: 'original' | 'RPL' | 'ADD';
  readonly seed: number | null;
  readonly answer: AttackCase['original'];
  readonly side: CaseSide;
}

function askedIn({ report }: ComparedRun<AttackReport>): ReadonlyMap<string, Asked> {
  const metrics = measuredMetrics(report.scores);
  const asked = report.cases.flatMap((one): (readonly [string, Asked])[] => {
    const perturbed = one.perturbed.map((variant): readonly [string, Asked] => {
      const { kind: condition, seed } = variant;
      const [, side] = attackSides(one, variant, metrics);
      return [caseKey(one, condition, seed), { one, condition, seed, answer: variant, side }];
    });
    const bare = { kind: 'ADD' as const, changes: [], gold: one.gold };
    const [side] = attackSides(one, { ...one.original, ...bare, seed: 0, queries: 1 }, metrics);
    const own: Asked = { one, condition: 'original', seed: null, answer: one.original, side };
    return [[caseKey(one, 'original', null), own], ...perturbed];
  });
  return new Map(asked);
}

/** Cases of both runs by the first metric of both, what the first answered before what the second did. */
export function compareCases(runs: readonly ComparedRun<AttackReport>[]): CasesSection {
  const [first, second] = [itemAt(runs, 0), itemAt(runs, 1)];
  const [ours, theirs] = [askedIn(first), askedIn(second)];
  const others = measuredMetrics(second.report.scores);
  const metric = measuredMetrics(first.report.scores).find((name) => others.includes(name));
  const cases = [...ours].flatMap(([key, { one, condition, seed, answer, side }]): ReportCase[] => {
    const other = theirs.get(key);
    if (other === undefined || metric === undefined) return [];
    const status = statusOf({ original: answer }, other.answer, metric) ?? 'none';
    const isSame = answer.predicted === other.answer.predicted;
    return [
      {
        id: `${one.id}/${condition}${seed === null ? '' : `/${seed}`}`,
        question: one.question,
        gloss: seed === null ? 'original tables' : `${condition}, seed ${seed}`,
        status,
        facets: {
          condition,
          answer: isSame ? 'the same' : 'another',
          ...(one.hardness !== null && { hardness: one.hardness }),
          database: one.dbId,
        },
        reason: null,
        sides: [
          { ...side, label: 'First run' },
          { ...other.side, label: 'Second run' },
        ],
        notes: [],
      },
    ];
  });
  const changed = cases.filter(({ status }) => status === 'broken' || status === 'fixed');
  const shortest = [...changed].sort(
    (a, b) => Number(a.status !== 'broken') - Number(b.status !== 'broken') || a.question.length - b.question.length,
  );
  return {
    kind: 'cases',
    noun: 'case',
    statuses: CASE_STATUS_LABELS,
    facets: [
      { id: 'condition', label: 'Condition' },
      { id: 'answer', label: 'Answer' },
      { id: 'hardness', label: 'Hardness' },
      { id: 'database', label: 'Database' },
    ],
    cases,
    open: shortest.length === 0 ? null : itemAt(shortest, 0).id,
  };
}
