import { itemAt } from '../../present.js';
import type { PlacedNeighbor } from './gold-cases.js';
import { type GoldJudgment, type JudgedDatabase, judgmentsByGold } from './judged-database.js';

const NOT_COUNTED = { partial: null, told: new Set<PlacedNeighbor>() } as const;

/**
 * One gold's judgments, those by a part of its result only where they count: all of them for a gold whose result is
 * determinate on no database that gives it rows, else those that distinguish neighbors that no other does. Not even these
 * where LIMIT takes some of tied rows: of the longest, all may be right.
 */
function countOf(judgments: readonly GoldJudgment[]): readonly GoldJudgment[] {
  const whole = judgments.filter(({ isDeterminate }) => isDeterminate);
  if (!whole.some(({ result }) => result !== null && result.rows > 0)) return judgments;
  const told = new Set(whole.flatMap((judgment) => [...judgment.told]));
  return judgments.map((judgment) => {
    if (judgment.partial === null) return judgment;
    const more = [...judgment.told].filter((one) => !told.has(one));
    const counts = more.length > 0 && !judgment.partial.isCut;
    return { ...judgment, ...(counts ? { told: new Set(more) } : NOT_COUNTED) };
  });
}

/** Databases of which a part of a gold's result counts only where it is needed. */
export function countPartial(databases: readonly JudgedDatabase[]): readonly JudgedDatabase[] {
  const counted = judgmentsByGold(databases).map(countOf);
  return databases.map((database, d) => ({ ...database, golds: counted.map((own) => itemAt(own, d)) }));
}
