import type { GoldFault } from './explain-fault.js';

/** A gold of the new schema: whether it binds to it, runs on rows, and gives the original's; null where not looked at. */
export interface GoldVerdict {
  readonly binds: boolean;
  readonly runs: boolean | null;
  readonly equals: boolean | null;
}

/** What became of a published gold: it stays, it is derived again, it needs what was removed, or nothing else can be said. */
type RepairKind = 'kept' | 'derived' | 'needs-what-is-gone' | 'left';

/** One example of a published set, audited. */
export interface PairVerdict {
  readonly id: string;
  readonly kind: string;
  readonly original: string;
  /** Null where the set gives none. */
  readonly published: string | null;
  readonly verdict: GoldVerdict;
  readonly fault: GoldFault | null;
  readonly repair: RepairKind;
  /** The gold of the repaired set. */
  readonly repaired: string | null;
  readonly repairedVerdict: GoldVerdict;
  /** Columns that the repaired schema got back. */
  readonly restored: readonly string[];
  /** Why it can't be derived; null where it can be, or need not. */
  readonly refusal: string | null;
}

/** Counts of one kind of perturbation. */
export interface KindCounts {
  readonly kind: string;
  readonly examples: number;
  readonly binds: number;
  readonly runs: number;
  readonly compared: number;
  readonly equal: number;
  /** Of the examples, those that need what was removed. */
  readonly gone: number;
  readonly derived: number;
  readonly repairedBinds: number;
  readonly repairedRuns: number;
  readonly repairedCompared: number;
  readonly repairedEqual: number;
  /** Faults by rule. */
  readonly faults: Readonly<Record<string, number>>;
}

/** What an audit says of a published set of perturbations. */
export interface PerturbationReport {
  readonly kinds: readonly KindCounts[];
  /** Examples whose published gold does not bind, run or give the original's rows. */
  readonly faulty: readonly PairVerdict[];
}

function countsOf(kind: string, verdicts: readonly PairVerdict[]): KindCounts {
  const count = (holds: (verdict: PairVerdict) => boolean): number => verdicts.filter(holds).length;
  const faults = new Map<string, number>();
  for (const { fault } of verdicts) if (fault !== null) faults.set(fault.rule, (faults.get(fault.rule) ?? 0) + 1);
  return {
    kind,
    examples: verdicts.length,
    binds: count(({ verdict }) => verdict.binds),
    runs: count(({ verdict }) => verdict.runs === true),
    compared: count(({ verdict }) => verdict.equals !== null),
    equal: count(({ verdict }) => verdict.equals === true),
    gone: count(({ repair }) => repair === 'needs-what-is-gone'),
    derived: count(({ repair }) => repair === 'derived'),
    repairedBinds: count(({ repairedVerdict }) => repairedVerdict.binds),
    repairedRuns: count(({ repairedVerdict }) => repairedVerdict.runs === true),
    repairedCompared: count(({ repairedVerdict }) => repairedVerdict.equals !== null),
    repairedEqual: count(({ repairedVerdict }) => repairedVerdict.equals === true),
    faults: Object.fromEntries([...faults].sort(([, a], [, b]) => b - a)),
  };
}

/** Whether a published gold stands as it is. */
export function isSound({ binds, runs, equals }: GoldVerdict): boolean {
  return binds && runs !== false && equals !== false;
}

/** The report of a published set from the verdicts of its examples, kinds in the order in which they come. */
export function reportPairs(verdicts: readonly PairVerdict[]): PerturbationReport {
  const kinds = [...new Set(verdicts.map(({ kind }) => kind))];
  return {
    kinds: kinds.map((kind) =>
      countsOf(
        kind,
        verdicts.filter((one) => one.kind === kind),
      ),
    ),
    faulty: verdicts.filter(({ verdict }) => !isSound(verdict)),
  };
}
