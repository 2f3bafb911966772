import { itemAt } from '../../../present.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import type { RowReader } from '../../databases/row-reader.js';
import type { SchemaRelation } from '../schema/schema-relation.js';
import { type NewColumn, type ReadColumn, recodingRelation, type Recoding, textAffinity } from './recoding.js';

/** Two columns of a table that are written as one elsewhere. */
interface MergeRule {
  /** The endings of the names. */
  readonly first: readonly string[];
  readonly second: readonly string[];
  /** The name of the one column, after the common beginning of both names. */
  readonly joint: string;
  readonly between: string;
}

const RULES: readonly MergeRule[] = [
  {
    first: ['first name', 'given name', 'fname', 'forename'],
    second: ['last name', 'surname', 'family name', 'lname'],
    joint: 'full name',
    between: ' ',
  },
  { first: ['city', 'town'], second: ['state', 'country', 'county'], joint: 'location', between: ', ' },
  { first: ['date'], second: ['time'], joint: 'date time', between: ' ' },
  { first: ['street', 'line 1'], second: ['city', 'line 2'], joint: 'address', between: ', ' },
];

/** Returns the part of a name before one of some endings, or null if it has none of them. */
function stemBefore(name: string, endings: readonly string[]): string | null {
  const ending = endings.find((one) => name === one || name.endsWith(` ${one}`));
  return ending === undefined ? null : name.slice(0, -ending.length).trim();
}

const areTexts = ({ values }: ReadColumn): boolean => values.every((value) => typeof value === 'string');

function mergeOf(first: ReadColumn, second: ReadColumn, { joint, between }: MergeRule, stem: string): Recoding {
  const now: NewColumn = {
    name: stem === '' || stem === joint ? joint : `${stem} ${joint}`,
    type: 'text',
    sql: ([a = '', b = '']) => `${a} || '${between}' || ${b}`,
  };
  const at = (value: string): string => `instr(${value}, '${between}')`;
  return {
    key: joint,
    detail: (before, after) => `merged ${before} into ${after}`,
    now: [now],
    old: [
      {
        ref: first.ref,
        restored: ([value = '']) => `substr(${value}, 1, ${at(value)} - 1)`,
        affinity: textAffinity(first),
      },
      {
        ref: second.ref,
        restored: ([value = '']) => `substr(${value}, ${at(value)} + ${between.length})`,
        affinity: textAffinity(second),
      },
    ],
  };
}

function mergesOf(columns: readonly ReadColumn[]): readonly Recoding[] {
  return RULES.flatMap((rule) =>
    columns.filter(areTexts).flatMap((first) => {
      const stem = stemBefore(first.column.name, rule.first);
      const second = columns.find((other) => {
        const isBeside = other.ref.table === first.ref.table && other !== first && areTexts(other);
        return isBeside && stemBefore(other.column.name, rule.second) === stem;
      });
      return stem === null || second === undefined ? [] : [mergeOf(first, second, rule, stem)];
    }),
  );
}

/**
 * Column Merge: first and last name, town and state, date and time, two parts of an address as one column. Only where
 * every row's values can be had again exactly; gold queries take them out of it.
 */
export function columnMerge(rows: RowReader, dialect: SqlDialect): SchemaRelation {
  return recodingRelation('CMe', rows, dialect, (columns, { tables }) =>
    mergesOf(columns).filter(({ old }) => itemAt(tables, itemAt(old, 0).ref.table).columns.length > old.length),
  );
}
