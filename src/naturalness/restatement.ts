import { wordsOf } from '../schema/name-identity.js';
import type { Table } from '../schema/schema.js';
import type { NaturalnessRule } from './naturalness-rule.js';
import { memoizeObject } from '../schema/memoize.js';

/** Words of columns that say when something was. */
const TIME_WORDS = new Set('date time year day month datetime timestamp since at on last first until'.split(' '));

/** Beginnings of words for one moment in a row's life: "date registered" is when it was created. */
const MOMENTS: readonly (readonly string[])[] = [
  'creat regist join enrol signup member hire hiring employ add enter entry insert upload post submit',
  'login logged access visit seen active activity sign',
  'modif updat edit chang revis',
  'start begin began commenc open effectiv from launch',
  'end closed closing finish expir complet terminat until valid',
  'publi releas issu launch air aired airing broadcast premier debut',
  'built build construct found establish form opened opening open incorporat inaugurat',
  'ship dispatch sent send mail',
  'order purchas bought acquir booked booking reserv',
  'paid payment settle settled',
  'arriv checkin landing',
  'depart leav left checkout takeoff',
  'birth born',
  'death died deceas',
].map((line) => line.split(' '));

/** Words for one role or attribute. */
const ROLES: readonly ReadonlySet<string>[] = [
  'author writer creator poster',
  'manager supervisor boss superior',
  'leader chairperson chairman chair president head principal',
  'coach trainer',
  'seller vendor supplier provider',
  'buyer customer client purchaser payer',
  'doctor physician',
  'teacher instructor professor lecturer',
  'maker manufacturer builder constructor producer brand make',
  'owner proprietor holder',
  'carrier shipper courier',
  'sponsor backer funder',
  'nationality citizenship country',
  'occupation profession job',
  'gender sex',
  'remarks remark notes note comments comment',
  'duration runtime running',
  'capacity seating seats',
  'elevation altitude',
  'weight mass',
  'photo picture image',
  'language tongue',
  'category type kind class',
  'attendance spectators audience attendees',
  'address street',
  'website url homepage',
  'cause reason',
  'order sequence',
].map((line) => new Set(line.split(' ')));

/** Last words of columns that stand for what the words before them name. */
const SIGN_WORDS = new Set('id identifier code name names number no by'.split(' '));

/** Moments that a row's time stamp may refer to: its creation, or its last change. */
const STAMPED_MOMENTS = ['creat', 'modif'].map((stem) => MOMENTS.findIndex(([first]) => first === stem));

function momentsOf(words: readonly string[], isTime: boolean): readonly number[] {
  if (!isTime && !words.some((word) => TIME_WORDS.has(word))) return [];
  const saysOneOf = (stems: readonly string[]): boolean =>
    stems.some((stem) => words.some((word) => word.startsWith(stem) && !TIME_WORDS.has(word)));
  const said = MOMENTS.flatMap((stems, i) => (saysOneOf(stems) ? [i] : []));
  return said.length === 0 && /time ?stamp$/.test(words.join(' ')) ? STAMPED_MOMENTS : said;
}

/** The role that a name says: that of its last word, or of the one before "id", "name" and the like. */
function roleOf(words: readonly string[]): number {
  const head = words.findLast((word) => !SIGN_WORDS.has(word));
  return head === undefined ? -1 : ROLES.findIndex((role) => role.has(head));
}

/** Checks whether a column stands for a role: by its head, or, as a key, by any of its words ("manager staff id"). */
function saysRole(words: readonly string[], role: number): boolean {
  return roleOf(words) === role || (words.at(-1) === 'id' && words.some((word) => ROLES[role]?.has(word) === true));
}

/**
 * "Last login" next to "last access date", "date registered" next to "creation date", "post author" next to "writer
 * id": an addition that is a column of the table in other words of time or role. A question that asks for the column
 * might mean either (ADVETA §2.3).
 */
export function restatement(): Omit<NaturalnessRule, 'id'> {
  const saidIn = memoizeObject(({ columns }: Table) =>
    columns.map(({ name, type }) => {
      const words = wordsOf(name);
      return { name, words, moments: momentsOf(words, type === 'time') };
    }),
  );
  return {
    appliesTo: 'ADD',
    check(name, { target }, { origin }) {
      const words = wordsOf(name);
      const moments = momentsOf(words, origin?.type === 'time');
      const role = roleOf(words);
      const restated = saidIn(target.table).find(
        (column) =>
          (role !== -1 && saysRole(column.words, role)) || column.moments.some((moment) => moments.includes(moment)),
      );
      return restated === undefined ? null : `says what the column "${restated.name}" says`;
    },
  };
}
