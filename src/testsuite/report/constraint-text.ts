import { countNoun } from '../../counts.js';
import type { RowConstraint, StorageKind } from '../../rows/constraints/row-constraint.js';

const STORAGE_TITLES: Readonly<Record<StorageKind, string>> = {
  integer: 'whole numbers',
  number: 'numbers',
  'numeric-text': 'texts that are numbers',
  time: 'times',
  text: 'texts',
};

function boundsText({ least, most }: Extract<RowConstraint, { kind: 'values' }>): string {
  if (least === null) return most === null ? '' : ` up to ${most}`;
  return most === null ? ` from ${least}` : ` from ${least} to ${most}`;
}

function whatText(constraint: RowConstraint): string {
  switch (constraint.kind) {
    case 'not-null':
      return 'no NULL';
    case 'unique':
      return 'no two rows alike';
    case 'reference':
      return `each value is in ${constraint.parent} (${constraint.parentColumns.join(', ')})`;
    case 'values':
      return `${STORAGE_TITLES[constraint.storage]}${constraint.format === null ? '' : ` as ${constraint.format}`}${boundsText(constraint)}`;
    case 'letter-case':
      return 'no two values differ in letter case alone';
    default:
      return 'not empty';
  }
}

/** A constraint with its evidence for people: "Pets (PetID): no NULL; observed in 3 rows". */
export function describeConstraint(constraint: RowConstraint): string {
  const { table, columns, evidence, rows } = constraint;
  const place = columns.length === 0 ? table : `${table} (${columns.join(', ')})`;
  const but =
    constraint.kind === 'reference' && constraint.exceptions > 0 ? `all but ${constraint.exceptions} of ` : '';
  const why = evidence === 'observed' ? `observed in ${but}${countNoun(rows, 'row')}` : evidence;
  return `${place}: ${whatText(constraint)}; ${why}`;
}
