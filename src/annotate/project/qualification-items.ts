import { mustGet } from '../../present.js';
import type { ColumnType } from '../../schema/schema.js';
import { annotationItemId, type ItemContext, type NameKind } from '../annotation.js';
import type { ItemInContext, QualificationFeedback, QualificationResult } from '../api-shapes.js';
import { AnnotationRefusal } from './annotation-refusal.js';

/** An item whose answer is known. */
export interface QualificationItem extends ItemInContext {
  /** Names that must be taken; the others of the list must not. */
  readonly known: readonly string[];
  /** The reason, shown with the result. */
  readonly why: string;
}

/** Database that the invented tables are said to be of. */
const DB_ID = 'qualification';

interface KnownTable {
  readonly name: string;
  readonly columns: readonly (readonly [name: string, type: ColumnType])[];
  readonly rows: ItemContext['rows'];
}

interface KnownItem {
  readonly table: KnownTable;
  readonly column: string;
  readonly kind: NameKind;
  readonly question: string;
  readonly query: string;
  /** The list as it is shown: names to take, and names not to, by what they are. */
  readonly list: Readonly<Record<string, 'take' | 'leave'>>;
  readonly why: string;
}

const STALL: KnownTable = {
  name: 'stall',
  columns: [
    ['stall id', 'number'],
    ['vendor', 'text'],
    ['dish type', 'text'],
    ['daily rent', 'number'],
    ['rating', 'number'],
  ],
  rows: [
    ['1', 'Minh Tran', 'noodles', '35', '4.5'],
    ['2', 'Rosa Keller', 'pancakes', '28', '4.1'],
    ['3', 'Yusuf Demir', 'grilled corn', '22', '3.8'],
  ],
};

const LOAN: KnownTable = {
  name: 'loan',
  columns: [
    ['loan id', 'number'],
    ['borrower', 'text'],
    ['tool', 'text'],
    ['due date', 'time'],
    ['deposit', 'number'],
  ],
  rows: [
    ['101', 'Carla Nunes', 'cordless drill', '2024-05-03', '20'],
    ['102', 'Pavel Horak', 'hedge trimmer', '2024-05-10', '15'],
  ],
};

const TRAIL: KnownTable = {
  name: 'trail',
  columns: [
    ['trail id', 'number'],
    ['trail name', 'text'],
    ['length', 'number'],
    ['difficulty', 'text'],
    ['elevation gain', 'number'],
  ],
  rows: [
    ['7', 'Heron Loop', '6.4', 'easy', '120'],
    ['8', 'Granite Stair', '11.2', 'hard', '930'],
  ],
};

const SINGER: KnownTable = {
  name: 'choir member',
  columns: [
    ['member id', 'number'],
    ['full name', 'text'],
    ['voice part', 'text'],
    ['joined', 'time'],
    ['phone', 'text'],
    ['home town', 'text'],
  ],
  rows: [
    ['4', 'Elin Aas', 'soprano', '2019-09-01', '555-0144', 'Larvik'],
    ['5', 'Tom Abara', 'bass', '2021-01-15', '555-0190', 'Porsgrunn'],
  ],
};

const KNOWN: readonly KnownItem[] = [
  {
    table: LOAN,
    column: 'borrower',
    kind: 'RPL',
    question: 'Who has borrowed the cordless drill?',
    query: "SELECT borrower FROM loan WHERE tool = 'cordless drill'",
    list: {
      'borrowed by': 'take',
      lender: 'leave',
      'lent to': 'take',
      barrower: 'leave',
      'borrowed tool': 'leave',
      debtor: 'leave',
    },
    why: '“borrowed by” and “lent to” name the same person. A lender is the other side, a debtor owes money, “borrowed tool” is the column “tool”, and “barrower” is misspelled.',
  },
  {
    table: TRAIL,
    column: 'difficulty',
    kind: 'RPL',
    question: 'How many trails are hard?',
    query: "SELECT count(*) FROM trail WHERE difficulty = 'hard'",
    list: {
      trouble: 'leave',
      'difficulty level': 'take',
      'how difficulty': 'leave',
      'level of difficulty': 'take',
      'hard times': 'leave',
      ascent: 'leave',
    },
    why: 'The two with “level” say the same. “trouble” and “hard times” are other senses, “how difficulty” is no grammar, and “ascent” would be taken for the elevation gain.',
  },
  {
    table: SINGER,
    column: 'voice part',
    kind: 'RPL',
    question: 'List the names of all sopranos.',
    query: "SELECT full_name FROM choir_member WHERE voice_part = 'soprano'",
    list: {
      'vocal part': 'take',
      'speaking role': 'leave',
      'tone piece': 'leave',
      'part sung': 'take',
      loudness: 'leave',
      music: 'leave',
    },
    why: 'The cells say soprano and bass: the part that someone sings. “tone piece” is put together from synonyms and idiomatic nowhere, a speaking role belongs to a play, “music” is too broad.',
  },
  {
    table: STALL,
    column: 'daily rent',
    kind: 'RPL',
    question: 'What is the highest daily rent?',
    query: 'SELECT max(daily_rent) FROM stall',
    list: {
      'rent per day': 'take',
      'monthly rent': 'leave',
      price: 'leave',
      'daily tear': 'leave',
      'rental fee per day': 'take',
      'daily income': 'leave',
    },
    why: '“price” is too broad: it could be that of a dish. A monthly rent is another amount, a tear another sense of “rent”, income is what comes in.',
  },
  {
    table: SINGER,
    column: 'joined',
    kind: 'RPL',
    question: 'Who joined before 2020?',
    query: "SELECT full_name FROM choir_member WHERE joined < '2020-01-01'",
    list: {
      'member since': 'take',
      attached: 'leave',
      'date of joining': 'take',
      'birth date': 'leave',
      'linked on': 'leave',
      'left the choir': 'leave',
    },
    why: 'The cells are days, and both names say which. “attached” and “linked on” are synonyms of “joined”, but nobody says them of a member.',
  },
  {
    table: LOAN,
    column: 'due date',
    kind: 'ADD',
    question: 'Which loans are due on May 10?',
    query: "SELECT loan_id FROM loan WHERE due_date = '2024-05-10'",
    list: {
      'date borrowed': 'take',
      deadline: 'leave',
      'reminder date': 'take',
      'return by': 'leave',
      'date returned': 'take',
      'name of tool': 'leave',
      'orbital period': 'leave',
    },
    why: 'Three other days in the life of a loan. “deadline” and “return by” are the due date itself, “name of tool” is the column “tool”, and an orbital period has no place here.',
  },
  {
    table: TRAIL,
    column: 'length',
    kind: 'ADD',
    question: 'How long is the Heron Loop?',
    query: "SELECT length FROM trail WHERE trail_name = 'Heron Loop'",
    list: {
      'walking time': 'take',
      'total distance': 'leave',
      width: 'take',
      'height climbed': 'leave',
      'distance from parking': 'take',
      lenght: 'leave',
      'shoe brand': 'leave',
    },
    why: '“total distance” would answer the question. “height climbed” is the elevation gain, so it may not join either. “lenght” is misspelled; a shoe brand is nothing that a trail has.',
  },
  {
    table: STALL,
    column: 'vendor',
    kind: 'ADD',
    question: 'Which vendor sells noodles?',
    query: "SELECT vendor FROM stall WHERE dish_type = 'noodles'",
    list: {
      supplier: 'take',
      seller: 'leave',
      landlord: 'take',
      'stall holder': 'leave',
      'kitchen assistant': 'take',
      'kind of food': 'leave',
      voltage: 'leave',
    },
    why: 'Three other people around a stall. A seller or stall holder is its vendor, “kind of food” is the dish type, and a voltage is far from a vendor.',
  },
  {
    table: SINGER,
    column: 'phone',
    kind: 'ADD',
    question: 'What is the phone number of Tom Abara?',
    query: "SELECT phone FROM choir_member WHERE full_name = 'Tom Abara'",
    list: {
      'telephone number': 'leave',
      'email address': 'take',
      'emergency contact': 'take',
      'town of residence': 'leave',
      'fax number': 'take',
      'number to call': 'leave',
      'opening bid': 'leave',
    },
    why: 'Other ways to reach someone, yet not the phone. “telephone number” and “number to call” are; “town of residence” would be taken for the home town.',
  },
  {
    table: STALL,
    column: 'rating',
    kind: 'ADD',
    question: 'Which stall has the best rating?',
    query: 'SELECT stall_id FROM stall ORDER BY rating DESC LIMIT 1',
    list: {
      'number of reviews': 'take',
      'review score': 'leave',
      'hygiene grade': 'take',
      'complaints received': 'take',
      'fee per day': 'leave',
      'blood type': 'leave',
      'customer rate score': 'leave',
    },
    why: '“review score” is the rating in other words, “customer rate score” is that in bad English, and “fee per day” is the daily rent: a new column must differ from every column, not only from the one at hand.',
  },
];

const originalName = (name: string): string => name.replaceAll(' ', '_');

function toItem({ table, column, kind, question, query, list, why }: KnownItem, i: number): QualificationItem {
  const columns = table.columns.map(([name, type]) => ({ name, originalName: originalName(name), type }));
  const place = { dbId: DB_ID, tableOriginal: originalName(table.name), columnOriginal: originalName(column), kind };
  const { type } = mustGet(
    columns.find(({ name }) => name === column),
    'columns.find()',
  );
  const candidates = Object.keys(list).map((name) => ({ name, source: 'annotation', origin: null }));
  return {
    item: { ...place, id: annotationItemId(place), table: table.name, column, type, candidates },
    context: { entity: table.name, columns, rows: table.rows, questions: [{ id: `q${i + 1}`, question, query }] },
    known: Object.keys(list).filter((name) => list[name] === 'take'),
    why,
  };
}

/** The round that newcomers take, both kinds: invented tables in the spirit of `examples/`, answers by ADVETA §2.2, §2.3. */
export const QUALIFICATION_ITEMS: readonly QualificationItem[] = KNOWN.map(toItem);

function feedbackOn({ item, known, why }: QualificationItem, taken: readonly string[]): QualificationFeedback {
  return {
    id: item.id,
    missed: known.filter((name) => !taken.includes(name)),
    wrong: taken.filter((name) => !known.includes(name)),
    why,
  };
}

/**
 * Compares a round of answers, names taken by item id, with what is known.
 * @throws AnnotationRefusal `bad-answer` where an item has no answer
 */
export function scoreQualification(
  answers: Readonly<Record<string, readonly string[]>>,
  passMark: number,
): QualificationResult {
  const open = QUALIFICATION_ITEMS.find(({ item }) => !Object.hasOwn(answers, item.id));
  if (open !== undefined)
    throw new AnnotationRefusal('bad-answer', 'an item has no answer', 'Answer every item of the round.', open.item.id);
  const feedback = QUALIFICATION_ITEMS.map((each) => feedbackOn(each, answers[each.item.id] ?? []));
  const right = feedback.filter(({ missed, wrong }) => missed.length + wrong.length === 0).length;
  const score = right / QUALIFICATION_ITEMS.length;
  return { score, passed: score >= passMark, feedback };
}
