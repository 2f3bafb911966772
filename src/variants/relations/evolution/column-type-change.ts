import type { ColumnType } from '../../../schema/schema.js';
import { renderString, type SqlDialect } from '../../../sql/dialect.js';
import type { SqlValue } from '../../../sql/execution/query-outcome.js';
import type { RowReader } from '../../databases/row-reader.js';
import type { SchemaRelation } from '../schema/schema-relation.js';
import { type ReadColumn, type Recoding, recodingRelation, textAffinity } from './recoding.js';
import type { ReadAffinity } from './source-reading.js';

/** Values of a column in another type, and back. */
interface TypeChange {
  readonly key: string;
  readonly type: ColumnType;
  readonly sql: (value: string) => string;
  readonly restored: (value: string) => string;
  readonly affinity: ReadAffinity;
}

/** Says how the values of a column can be written otherwise; null where they are of another kind. */
type TypeRule = (read: ReadColumn) => TypeChange | null;

const isText = (value: SqlValue): value is string => typeof value === 'string';
const areAll = ({ values }: ReadColumn, pattern: RegExp): boolean =>
  values.every((value) => (isText(value) || typeof value === 'bigint') && pattern.test(String(value)));

const MONTH_DAY = '(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])';
const COMPACT = new RegExp(`^(?:1[5-9]|20)\\d\\d${MONTH_DAY}$`);
const ISO = /^\d{4}-\d\d-\d\d$/;

const dashed = (value: string): string =>
  `substr(${value}, 1, 4) || '-' || substr(${value}, 5, 2) || '-' || substr(${value}, 7, 2)`;

/** 20140131 → '2014-01-31'. */
const compactToIso: TypeRule = (read) => {
  const areNumbers = read.values.every((value) => typeof value === 'bigint');
  if (!areAll(read, COMPACT) || !/\b(?:date|birth|day)\b/.test(read.column.name)) return null;
  const digits = (value: string): string => `replace(${value}, '-', '')`;
  return {
    key: 'ISO date',
    type: 'time',
    sql: dashed,
    restored: (value) => (areNumbers ? `CAST(${digits(value)} AS INTEGER)` : digits(value)),
    affinity: areNumbers ? null : textAffinity(read),
  };
};

/** '2014-01-31' → 20140131. */
const isoToCompact: TypeRule = (read) => {
  if (!areAll(read, ISO)) return null;
  return {
    key: 'compact date',
    type: 'number',
    restored: dashed,
    sql: (value) => `CAST(replace(${value}, '-', '') AS INTEGER)`,
    affinity: textAffinity(read),
  };
};

const AMERICAN = /^(?:0[1-9]|1[0-2])\/(?:0[1-9]|[12]\d|3[01])\/\d{4}$/;

const slashed = (value: string): string =>
  `substr(${value}, 6, 2) || '/' || substr(${value}, 9, 2) || '/' || substr(${value}, 1, 4)`;
const unslashed = (value: string): string =>
  `substr(${value}, 7, 4) || '-' || substr(${value}, 1, 2) || '-' || substr(${value}, 4, 2)`;

/** '2014-01-31' → '01/31/2014'. */
const isoToAmerican: TypeRule = (read) => {
  if (!areAll(read, ISO)) return null;
  return { key: 'American date', type: 'time', affinity: textAffinity(read), sql: slashed, restored: unslashed };
};

/** '01/31/2014' → '2014-01-31'. */
const americanToIso: TypeRule = (read) => {
  if (!areAll(read, AMERICAN)) return null;
  return { key: 'ISO date', type: 'time', affinity: textAffinity(read), sql: unslashed, restored: slashed };
};

type Flag = readonly [no: string, yes: string];

/** Ways to write that something is not so, and that it is. */
const FLAGS: readonly Flag[] = [
  ['no', 'yes'],
  ['No', 'Yes'],
  ['N', 'Y'],
  ['F', 'T'],
  ['false', 'true'],
  ['False', 'True'],
];

function cases(value: string, pairs: readonly (readonly [when: string, then: string])[]): string {
  return `CASE ${value} ${pairs.map(([when, then]) => `WHEN ${when} THEN ${then}`).join(' ')} END`;
}

/** 1 → 'yes'. */
const flagToWord: TypeRule = ({ values }) => {
  if (values.length !== 2 || !values.every((value) => value === 0n || value === 1n)) return null;
  return {
    key: 'yes or no',
    type: 'text',
    affinity: 'NUMERIC',
    sql: (value) => cases(value, [['0', "'no'"], ['1', "'yes'"]]), // prettier-ignore
    restored: (value) => cases(value, [["'no'", '0'], ["'yes'", '1']]), // prettier-ignore
  };
};

/** 'yes' → 1. */
const wordToFlag: TypeRule = (read) => {
  const { values } = read;
  const flag = FLAGS.find(
    (pair) => values.length === 2 && values.every((value) => isText(value) && pair.includes(value)),
  );
  // 'F' next to 'T' says true or false; 'F' and 'M' are no such pair.
  if (flag === undefined) return null;
  const [no, yes] = flag.map(renderString) as [string, string];
  return {
    key: '0 or 1',
    type: 'number',
    affinity: textAffinity(read),
    sql: (value) => cases(value, [[no, '0'], [yes, '1']]), // prettier-ignore
    restored: (value) => cases(value, [['0', no], ['1', yes]]), // prettier-ignore
  };
};

/** 12 → '12'. */
const numberToText: TypeRule = ({ values }) => {
  if (!values.every((value) => typeof value === 'bigint')) return null;
  return {
    key: 'text',
    type: 'text',
    affinity: null,
    sql: (value) => `CAST(${value} AS TEXT)`,
    restored: (value) => `CAST(${value} AS INTEGER)`,
  };
};

/** '12' → 12. */
const textToNumber: TypeRule = (read) => {
  if (read.isNumeric || !read.values.every((value) => isText(value) && /^-?(?:0|[1-9]\d{0,15})$/.test(value)))
    return null;
  return {
    key: 'number',
    type: 'number',
    affinity: null,
    sql: (value) => `CAST(${value} AS INTEGER)`,
    restored: (value) => `CAST(${value} AS TEXT)`,
  };
};

const RULES: readonly TypeRule[] = [
  ...[compactToIso, isoToCompact, isoToAmerican, americanToIso],
  ...[flagToWord, wordToFlag, numberToText, textToNumber],
];

function recodingOf(read: ReadColumn, change: TypeChange): Recoding {
  const { key, type, sql, restored, affinity } = change;
  return {
    key,
    keepsName: true,
    detail: (before) => `changed ${before} to ${key}`,
    old: [{ ref: read.ref, affinity, restored: ([value = '']) => restored(value) }],
    now: [{ name: read.column.name, type, sql: ([value = '']) => sql(value) }],
  };
}

/**
 * Column Type Change: dates in another form, 0 and 1 as words, numbers as texts, and the reverse, under the same name.
 * Only where every row's value can be had again exactly; gold queries convert the column.
 */
export function columnTypeChange(rows: RowReader, dialect: SqlDialect): SchemaRelation {
  return recodingRelation('CTy', rows, dialect, (columns) =>
    columns.flatMap((read) =>
      RULES.flatMap((rule) => {
        const change = rule(read);
        return change === null ? [] : [recodingOf(read, change)];
      }),
    ),
  );
}
