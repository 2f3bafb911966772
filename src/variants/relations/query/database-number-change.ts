import type { SqlDialect } from '../../../sql/dialect.js';
import type { RowReader } from '../../databases/row-reader.js';
import type { Relation } from '../relation.js';
import type { Rewording } from '../utterance/utterance-relation.js';
import { changeCompared, type ComparedValue, type QueryCase, queryRelation } from './query-relation.js';
import { numbersIn, withOtherNumbers } from './number-change.js';

/** The power of ten that a number is whole in: 1,000 of 25,000. */
function roundness(value: number): number {
  let unit = 1;
  while (value % (unit * 10) === 0) unit *= 10;
  return unit;
}

/** Numbers of the column from two on; for a comparison by size as round as the old one, with rows on both sides. */
function othersFor(value: number, { operator, values }: ComparedValue): readonly number[] {
  const numbers = values.flatMap((one) => (typeof one === 'bigint' || typeof one === 'number' ? [Number(one)] : []));
  const whole = numbers.filter((one) => Number.isSafeInteger(one));
  if (!/[<>]/.test(operator) || operator === '<>') return whole.filter((one) => one >= 2 && one !== value);
  const unit = roundness(value);
  const [least, greatest] = [Math.min(...numbers), Math.max(...numbers)];
  const rounded = numbers.map((one) => Math.round(one / unit) * unit);
  return [...new Set(rounded)].filter((one) => one >= 2 && one > least && one < greatest && one !== value);
}

function changesOf(one: QueryCase, compared: ComparedValue): readonly Rewording[] {
  const literal = numbersIn(one.gold).find((number) => number === compared.constant);
  if (literal === undefined || Number(literal.value) < 2) return [];
  return withOtherNumbers(one, literal, othersFor(Number(literal.value), compared));
}

/** Dr.Spider's SQL DB number (Chang et al. 2023, §3.3): a number that a column is compared with becomes another of its. */
export function databaseNumberChange(rows: RowReader, dialect: SqlDialect): Relation {
  return queryRelation({
    id: 'QDn',
    version: 1,
    dialect,
    readsGoldFor: 'which numbers of the database it asks for',
    change: (one) =>
      changeCompared(
        rows,
        one,
        (compared) => changesOf(one, compared),
        'no number of the database that the question has once',
      ),
  });
}
