import type { FigureTable } from '../bench-figures.js';
import type { MeasuredSet } from './measure-set.js';
import { SHIPPED_SETS, type ShippedSetName } from './shipped-sets.js';

/** What is asked of each set. */
const LEAST_RPL = 0.97;
const MOST_UNMENTIONED = 0.2;

/** What of a set is not as it is asked for; nothing where all is. */
export function missesOf({ rpl, unmentioned, executed, equal, evaluated, correct }: MeasuredSet): readonly string[] {
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  return [
    ...(rpl < LEAST_RPL ? [`${percent(rpl)} of the examples have an RPL variant, goal ${percent(LEAST_RPL)}`] : []),
    ...(unmentioned > MOST_UNMENTIONED
      ? [`${percent(unmentioned)} of the RPL variants are unmentioned, goal ${percent(MOST_UNMENTIONED)}`]
      : []),
    ...(executed === 0 ? ['no variant was executed'] : []),
    ...(equal < executed ? [`${executed - equal} variants do not return what their originals do`] : []),
    ...(correct < 0.98 * evaluated
      ? [`only ${correct} of ${evaluated} gold queries are correct against themselves`]
      : []),
  ];
}

/** The sets by what the commands say of them. */
export function datasetsTable(measured: ReadonlyMap<ShippedSetName, MeasuredSet>): FigureTable {
  const rows = [...measured].map(([name, set]) => {
    const { rpl, add, unmentioned, nonEmpty, causes, ...counts } = set;
    const row = {
      set: SHIPPED_SETS[name].title,
      ...counts,
      rpl: 100 * rpl,
      add: 100 * add,
      unmentioned: 100 * unmentioned,
      nonEmpty: 100 * nonEmpty,
      causes: causes.length === 0 ? 'none' : causes.map((cause) => cause.replaceAll('|', '\\|')).join('; '),
    };
    return [name, row] as const;
  });
  return {
    id: 'datasets',
    title: 'Data sets as they are shipped',
    about:
      'Candidates, `augment`, `verify`, `mutate --limit 2` and `evaluate` (gold against gold) on each set, from the files of its authors ' +
      '([datasets.md](datasets.md#from-the-shipped-files)). Left out when read are records without a usable query or table; gold binds where all its names are ' +
      'found in the schema. Variants are executed on databases with rows, synthetic ones where none are shipped.',
    columns: {
      set: { head: 'data set' },
      examples: { head: 'examples with gold' },
      unread: { head: 'left out when read' },
      bound: { head: 'gold queries that bind' },
      rpl: { head: 'with an RPL variant, %', decimals: 1 },
      add: { head: 'with an ADD variant, %', decimals: 1 },
      unmentioned: { head: 'RPL variants of an unmentioned column, %', decimals: 1 },
      variants: { head: 'variants' },
      executed: { head: 'executed' },
      equal: { head: 'equal' },
      nonEmpty: { head: 'with rows, %', decimals: 1 },
      mutants: { head: 'mutants' },
      evaluated: { head: 'gold queries evaluated' },
      correct: { head: 'correct against themselves' },
      causes: { head: 'left out, by cause' },
    },
    rows: Object.fromEntries(rows),
  };
}
