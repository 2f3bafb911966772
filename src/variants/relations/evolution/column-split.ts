import { itemAt } from '../../../present.js';
import type { Table, Column } from '../../../schema/schema.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import type { RowReader } from '../../databases/row-reader.js';
import type { SchemaRelation } from '../schema/schema-relation.js';
import { type NewColumn, type ReadColumn, recodingRelation, type Recoding, textAffinity } from './recoding.js';
import { singularOf } from '../../../schema/natural-name.js';

/** Words for persons that tables and columns are called after. Our own list. */
const PERSONS: ReadonlySet<string> = new Set(
  `actor actress architect artist athlete author applicant attendee buyer candidate captain chairman chef client climber
   coach contestant customer dancer dean delegate designer director doctor driver editor employee engineer entrepreneur
   executive expert faculty farmer gardener governor guardian guest gymnast head host instructor journalist judge lawyer
   leader manager mayor member minister musician nominee nurse officer operator organizer owner parent participant
   patient performer person people physician pilot player poet politician president principal producer professional
   professor resident researcher reviewer rider scientist secretary senator singer staff student supervisor surgeon
   teacher teller tenant trainer treasurer tutor visitor volunteer voter winner worker wrestler writer`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

const isPerson = (word: string): boolean => PERSONS.has(singularOf(word));

/** Names that are not a person's whole one. */
const PARTIAL = /\b(?:first|last|middle|given|family|user|nick|stage|file|short|company|team|club|school|song)\b/;

/** Checks whether a column holds full names of persons, as far as its own name and its table's tell. */
function isPersonName({ name }: Column, table: Pick<Table, 'name'>): boolean {
  if (PARTIAL.test(name)) return false;
  const words = name.split(' ').filter((word) => word !== 'full');
  const last = words.at(-1) ?? '';
  if (last !== 'name') return isPerson(last);
  return words.length === 1 ? table.name.split(' ').some(isPerson) : isPerson(words.at(-2) ?? '');
}

type Parts = Pick<Recoding, 'now'> & { readonly key: string; readonly restored: (now: readonly string[]) => string };

/** Says how a column falls into parts; null where its name or values are of another kind. */
type SplitRule = (read: ReadColumn, table: Table) => Parts | null;

const PLACES = new Set(
  'location city hometown town headquarters headquarter birthplace venue place residence'.split(' '),
);

/** Checks whether all values are texts of a pattern. */
function areAll({ values }: ReadColumn, pattern: RegExp): boolean {
  return values.every((value) => typeof value === 'string' && pattern.test(value));
}

/** Returns the rest of a name without words for the kind of value: "date of birth" → "birth". */
function stemOf(name: string, kinds: readonly string[]): string {
  const words = name.split(' ').filter((word) => !kinds.includes(word));
  return (['of', 'and'].includes(words[0] ?? '') ? words.slice(1) : words).join(' ');
}

/** The name of a part: after the rest of the column's name, or alone. */
type PartName = Pick<NewColumn, 'name' | 'shortName'>;

const under = (stem: string, word: string): PartName =>
  stem === '' ? { name: word } : { name: `${stem} ${word}`, shortName: word };

function textPart(name: PartName, sql: (value: string) => string): NewColumn {
  return { ...name, type: 'text', sql: ([value = '']) => sql(value) };
}

function numberPart(name: PartName, sql: (value: string) => string): NewColumn {
  return { ...name, type: 'number', sql: ([value = '']) => `CAST(${sql(value)} AS INTEGER)` };
}

/** Two parts with a text between them, which is at its first place. */
function pair(key: string, names: readonly [PartName, PartName], between: string): Parts {
  const at = (value: string): string => `instr(${value}, '${between}')`;
  return {
    key,
    now: [
      textPart(names[0], (value) => `substr(${value}, 1, ${at(value)} - 1)`),
      textPart(names[1], (value) => `substr(${value}, ${at(value)} + ${between.length})`),
    ],
    restored: ([first = '', second = '']) => `${first} || '${between}' || ${second}`,
  };
}

/** A full name: what is before the last space, and what is behind it. */
const fullName: SplitRule = (read, table) => {
  if (!isPersonName(read.column, table) || !areAll(read, /^\p{Lu}[\p{L}.'’-]*(?: [\p{L}.'’-]+){1,3}$/u)) return null;
  const stem = stemOf(read.column.name, ['name', 'names', 'full']);
  const before = (value: string): string => `rtrim(${value}, replace(${value}, ' ', ''))`;
  return {
    key: 'full name',
    now: [
      textPart(under(stem, 'first name'), (value) => `rtrim(${before(value)}, ' ')`),
      textPart(under(stem, 'last name'), (value) => `substr(${value}, length(${before(value)}) + 1)`),
    ],
    restored: ([first = '', last = '']) => `${first} || ' ' || ${last}`,
  };
};

/** A date as in ISO 8601: year, month and day. */
const isoDate: SplitRule = (read) => {
  if (!areAll(read, /^\d{4}-\d\d-\d\d$/)) return null;
  const stem = stemOf(read.column.name, ['date', 'day']);
  return {
    key: 'date',
    now: [
      numberPart(under(stem, 'year'), (value) => `substr(${value}, 1, 4)`),
      numberPart(under(stem, 'month'), (value) => `substr(${value}, 6, 2)`),
      numberPart(under(stem, 'day'), (value) => `substr(${value}, 9, 2)`),
    ],
    restored: ([year = '', month = '', day = '']) =>
      `${year} || '-' || substr('0' || ${month}, -2) || '-' || substr('0' || ${day}, -2)`,
  };
};

/** A moment: its date and its time of day. */
const moment: SplitRule = (read) => {
  if (!areAll(read, /^\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d(?:\.\d+)?)?$/)) return null;
  const stem = stemOf(read.column.name, ['date', 'time', 'datetime', 'timestamp', 'at']);
  return pair('moment', [under(stem, 'date'), under(stem, 'time')], ' ');
};

/** A number with its unit: "170 cm". */
const measure: SplitRule = (read) => {
  if (!areAll(read, /^\d+ [\p{L}%/]+$/u)) return null;
  const { name } = read.column;
  // "21 May" is no number of Mays.
  if (/\b(?:date|day|time|month)\b/.test(name)) return null;
  const parts = pair('unit', [{ name }, { name: `${name} unit` }], ' ');
  const [value, unit] = [itemAt(parts.now, 0), itemAt(parts.now, 1)];
  return { ...parts, now: [numberPart({ name: `${name} value` }, (text) => value.sql([text])), unit] };
};

/** A town with what it is in, or an address with its town. */
const place: SplitRule = (read) => {
  const { name } = read.column;
  const words = name.split(' ');
  if (!areAll(read, /^[^,]+, [^,]+$/u)) return null;
  if (words.includes('address') && areAll(read, /^\d/))
    return pair('address', [{ name: 'street' }, { name: 'city' }], ', ');
  if (!words.some((word) => PLACES.has(word))) return null;
  const stem = stemOf(name, ['city', 'town']);
  return pair('place', [under(stem, 'city'), under(stem, 'region')], ', ');
};

const RULES: readonly SplitRule[] = [fullName, isoDate, moment, measure, place];

function splitOf(read: ReadColumn, table: Table): readonly Recoding[] {
  return RULES.flatMap((rule): readonly Recoding[] => {
    const parts = rule(read, table);
    if (parts === null) return [];
    const { key, now, restored } = parts;
    const old = [{ ref: read.ref, restored, affinity: textAffinity(read) }];
    return [{ key, old, now, detail: (before, after) => `split ${before} into ${after}` }];
  });
}

/**
 * Column Split: a full name into first and last, a date into its parts, a moment into date and time, a number with its
 * unit, a place with its region. Only where every row's value can be had again exactly; gold queries put the parts
 * together.
 */
export function columnSplit(rows: RowReader, dialect: SqlDialect): SchemaRelation {
  return recodingRelation('CSp', rows, dialect, (columns, { tables }) =>
    columns.flatMap((read) => splitOf(read, itemAt(tables, read.ref.table))),
  );
}
