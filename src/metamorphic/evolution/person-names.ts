import { singularOf } from '../../schema/noun-number.js';
import type { Column, Table } from '../../schema/schema.js';

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
export function isPersonName({ name }: Column, table: Pick<Table, 'name'>): boolean {
  if (PARTIAL.test(name)) return false;
  const words = name.split(' ').filter((word) => word !== 'full');
  const last = words.at(-1) ?? '';
  if (last !== 'name') return isPerson(last);
  return words.length === 1 ? table.name.split(' ').some(isPerson) : isPerson(words.at(-2) ?? '');
}
