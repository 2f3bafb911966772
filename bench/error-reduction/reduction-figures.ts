import { formatRange } from '../../src/report/figures.js';
import { HARDNESS_LEVELS } from '../../src/evaluate/exact/hardness.js';
import { bootstrapStatistics } from '../../src/report/statistics/bootstrap.js';
import { groupBy } from '../../src/run/group-by.js';
import { createRng } from '../../src/seeded-rng.js';
import type { FigureTable } from '../bench-figures.js';
import { type Arm, errorRates, type JudgedSeed, type PartOutcome } from './parser-arms.js';

/** What was found with each arm, all parts together. */
export type ArmOutcomes = ReadonlyMap<Arm, PartOutcome>;

type ArmMutants = Pick<PartOutcome, 'mutants'>;

/** What a table of error rates is of. */
interface RatesTitle {
  readonly id: string;
  readonly title: string;
  /** What learned and was asked. */
  readonly model: string;
  /** On which questions, and what counts as an error. */
  readonly setting: string;
}

/** What stands for an arm in the paper's tables. */
const NAMES: Readonly<Record<Arm, string>> = { original: '', random: '+RS', stratified: '+SS', adaptive: '+AS' };

const RELATIONS = ['PI', 'PR', 'PS', 'SS', 'NO', 'FL', 'OK', 'TS', 'CS', 'CRm', 'CRn', 'CI', 'All'];

/** MT-TEQL's Table 10. */
const PUBLISHED_RATES: Readonly<Record<string, readonly number[]>> = {
  SyntaxSQLNet: [8.2, 8, 6.7, 13.3, 2.4, 2.7, 1.3, 2.1, 1.1, 1.5, 1.7, 0.8, 3.2],
  'SyntaxSQLNet+RS': [5.2, 4, 5.1, 8.1, 1.2, 2.2, 0.9, 1.6, 0.5, 0.9, 1, 0.3, 2],
  'SyntaxSQLNet+SS': [4.7, 3.5, 4.6, 7.8, 0.9, 2, 0.8, 1.4, 0.3, 0.5, 0.9, 0.4, 1.8],
  'SyntaxSQLNet+AS': [3.9, 6.5, 4.3, 7.2, 0.8, 1.4, 0.3, 1.4, 0.2, 0.6, 0.8, 0.9, 1.6],
  IRNet: [7.5, 11.2, 7, 37.8, 2.4, 6.6, 5.2, 2.8, 2.1, 2.1, 1.6, 2.1, 4],
  'IRNet+RS': [4.3, 7.6, 4.7, 14.9, 1, 3.4, 2.8, 0.5, 0.5, 0.9, 0.5, 0.1, 1.9],
  'IRNet+SS': [5.2, 8.1, 5.5, 17.3, 1.2, 4.7, 3.6, 1.1, 0.7, 1, 0.8, 0.3, 2.4],
  'IRNet+AS': [4.6, 8.1, 5.7, 10.2, 1, 2.5, 3, 0.6, 0.4, 0.7, 0.9, 0.1, 2.1],
};

export const PARSER = 'built-in parser';

const LEVELS = [...HARDNESS_LEVELS, 'all', 'hardAndExtra'];

/** MT-TEQL's Table 12; `hardAndExtra` is its All*. */
const PUBLISHED_ACCURACY: Readonly<Record<string, readonly number[]>> = {
  SyntaxSQLNet: [41.9, 19.3, 17.8, 6.6, 22.4, 12.4],
  'SyntaxSQLNet+RS': [37.9, 20.6, 23, 6, 22.8, 14.7],
  'SyntaxSQLNet+SS': [41.1, 18.8, 20.1, 9, 22.8, 14.7],
  'SyntaxSQLNet+AS': [37.5, 18.4, 19.5, 7.2, 21.4, 13.5],
  IRNet: [72.3, 53.6, 42, 32.9, 52.8, 37.6],
  'IRNet+RS': [70.3, 52.9, 47.7, 30.5, 52.6, 39.3],
  'IRNet+SS': [70.7, 53.8, 45.9, 35.9, 52.7, 41.1],
  'IRNet+AS': [70.3, 54.3, 44.8, 29.3, 52.5, 37.3],
};

type Cells = Readonly<Record<string, number | string | null>>;

const cellsOf = (keys: readonly string[], values: readonly (number | null)[]): Cells =>
  Object.fromEntries(keys.map((key, i) => [key, values[i] ?? null]));

/** By how much in a hundred the last of some figures differs from that of the model without mutants. */
const change = (before: number | null | undefined, after: number | null | undefined): number | null =>
  before == null || after == null || before === 0 ? null : 100 * (after / before - 1);

function publishedRows(figures: typeof PUBLISHED_RATES, keys: readonly string[]): FigureTable['rows'] {
  const rows = Object.entries(figures).map(([model, values]) => {
    const [name = '', sampling] = model.split('+');
    const before = sampling === undefined ? undefined : figures[name]?.at(-1);
    const row: Cells = { model, ...cellsOf(keys, values), change: change(before, values.at(-1)) };
    return [model, row] as const;
  });
  return Object.fromEntries(rows);
}

/** Relative change of the error rate in percent, 95 % by databases drawn as wholes. */
function changeInterval(before: ArmMutants, after: ArmMutants): string {
  const countsOf = ({ mutants }: ArmMutants): ReadonlyMap<string, readonly [number, number]> =>
    new Map(
      [...groupBy(mutants, ({ database }) => database)].map(([id, own]) => [
        id,
        [own.filter((one) => !one.isConsistent).length, own.length],
      ]),
    );
  const [one, other] = [countsOf(before), countsOf(after)];
  const units = [...one].map(([id, counts]) => [...counts, ...(other.get(id) ?? [0, 0])]);
  const statistic = ([a = 0, n = 1, b = 0, m = 1]: readonly number[]): number[] => [100 * (b / m / (a / n) - 1)];
  const [found] = bootstrapStatistics(units, statistic, createRng(0, 'error reduction'));
  return found == null ? '' : formatRange(found, 'databases', (end) => end.toFixed(0)).replace(/\d$/, '$& %');
}

function ratesOf({ mutants }: ArmMutants): readonly (number | null)[] {
  const rates = errorRates(mutants);
  const all = mutants.filter((one) => !one.isConsistent).length / mutants.length;
  return RELATIONS.map((relation) => {
    const rate = relation === 'All' ? all : rates.get(relation);
    return rate === undefined ? null : 100 * rate;
  });
}

function accuracyOf({ seeds }: PartOutcome): readonly (number | null)[] {
  const share = (some: readonly JudgedSeed[]): number | null =>
    some.length === 0 ? null : (100 * some.filter(({ isRight }) => isRight).length) / some.length;
  const levels = HARDNESS_LEVELS.map((level) => share(seeds.filter(({ hardness }) => hardness === level)));
  return [...levels, share(seeds), share(seeds.filter(({ hardness }) => hardness === 'hard' || hardness === 'extra'))];
}

function ownRows<Outcome>(
  found: ReadonlyMap<Arm, Outcome>,
  model: string,
  keys: readonly string[],
  measure: (outcome: Outcome) => readonly (number | null)[],
): FigureTable['rows'] {
  const original = found.get('original');
  const rows = [...found].map(([arm, outcome]) => {
    const values = measure(outcome);
    const before = arm === 'original' || original === undefined ? undefined : measure(original).at(-1);
    return [arm, { model: `${model}${NAMES[arm]}`, ...cellsOf(keys, values), change: change(before, values.at(-1)) }];
  });
  return Object.fromEntries(rows) as FigureTable['rows'];
}

const headsOf = (keys: readonly string[]): FigureTable['columns'] =>
  Object.fromEntries(keys.map((key) => [key, { head: key === 'hardAndExtra' ? 'hard and extra' : key, decimals: 1 }]));

/** Table 10: error rates by relation, in percent of the mutants that could be judged. */
export function ratesTable(found: ReadonlyMap<Arm, ArmMutants>, { model, setting, ...head }: RatesTitle): FigureTable {
  const original = found.get('original');
  const own = Object.entries(ownRows(found, model, RELATIONS, ratesOf)).map(([arm, row]) => {
    const outcome = found.get(arm as Arm);
    const isPair = arm !== 'original' && original !== undefined && outcome !== undefined;
    return [arm, { ...row, byDatabase: isPair ? changeInterval(original, outcome) : '' }] as const;
  });
  const seen = new Set([...found.values()].flatMap(({ mutants }) => mutants.map(({ relation }) => relation)));
  const keys = RELATIONS.filter((relation) => relation === 'All' || seen.has(relation));
  return {
    ...head,
    about:
      `${setting} By relation, in percent (MT-TEQL Table 10); the last two columns are the change of all in percent and its interval (95%) ` +
      'over databases. The paper’s rows are of its mutants of Spider dev, with models that it trained on Spider train. [consistency.md](consistency.md)',
    columns: {
      model: { head: 'model' },
      ...headsOf(keys),
      change: { head: 'change', decimals: 1 },
      byDatabase: { head: 'by database' },
    },
    rows: { ...Object.fromEntries(own), ...publishedRows(PUBLISHED_RATES, RELATIONS) },
  };
}

/** Table 12: exact set match on the questions themselves, by hardness, in percent. */
export function accuracyTable(found: ArmOutcomes, setting: string): FigureTable {
  return {
    id: 'error-reduction-accuracy',
    title: 'Accuracy before and after mutants are learned',
    about: `${setting} Exact set match in percent on the questions themselves (MT-TEQL Table 12, which is of Spider dev); the change is that of hard and extra questions, in percent.`,
    columns: { model: { head: 'model' }, ...headsOf(LEVELS), change: { head: 'change', decimals: 1 } },
    rows: { ...ownRows(found, PARSER, LEVELS, accuracyOf), ...publishedRows(PUBLISHED_ACCURACY, LEVELS) },
  };
}
