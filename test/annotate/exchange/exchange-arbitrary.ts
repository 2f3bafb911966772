import fc from 'fast-check';
import {
  NAME_KINDS,
  ANSWER_STATES,
  type AnnotationItem,
  annotationItemId,
  type AnnotationKind,
  type Answer,
  type ItemContext,
  type StoredAnswer,
} from '../../../src/annotate/annotation.js';
import { type ExchangeSet, inRevisionOrder, rolesOf } from '../../../src/annotate/exchange/exchange-set.js';
import type { ItemRecord } from '../../../src/annotate/project/item-store.js';
import { COLUMN_TYPES } from '../../../src/schema/schema.js';

/** Names that some format could take for something else. */
const NASTY = [
  '=HYPERLINK("http://example.org","x")',
  '+1',
  '-2',
  '@SUM(A1)',
  "'=x",
  "''",
  '\ttab first',
  'a | b',
  'back\\slash',
  '\\e',
  'line\nend',
  'carriage\rreturn',
  '\r\nfirst',
  ' blank first',
  'blank last ',
  'comma, "quote"; semicolon',
  '<b>&amp;"\'',
  '$column',
  '１＝１',
  '＝１',
  'naïve 名前 🏠',
  '2001',
  '__proto__',
  'null',
];

const text = fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: 'grapheme' }), fc.lorem({ maxCount: 3 }));
const filled = text.filter((name) => name.trim() !== '');
const trimmed = filled.map((name) => name.trim());

const PEOPLE = [
  { name: 'ann', role: 'annotator' },
  { name: '=bob', role: 'annotator' },
  { name: 'zoë@example.org', role: 'annotator' },
  { name: 'rex', role: 'reviewer' },
  { name: '-ria', role: 'reviewer' },
] as const;
const namesOf = (role: string): string[] => PEOPLE.filter((one) => one.role === role).map(({ name }) => name);

const score = fc.option(fc.double({ min: 0, max: 1, noNaN: true }).map((n) => (Object.is(n, -0) ? 0 : n)));

const column = fc.record(
  {
    name: filled,
    originalName: filled,
    type: fc.constantFrom(...COLUMN_TYPES),
    readingConfidence: fc.constantFrom(0.25, 0.5),
  },
  { requiredKeys: ['name', 'originalName', 'type'] },
);

const contexts: fc.Arbitrary<ItemContext> = fc.record({
  entity: fc.option(text),
  columns: fc.array(column, { maxLength: 3 }),
  rows: fc.array(fc.array(text, { maxLength: 3 }), { maxLength: 2 }),
  questions: fc.array(
    fc.record(
      {
        id: text,
        question: text,
        query: text,
        fields: fc.dictionary(text, fc.oneof(text, fc.boolean()), { maxKeys: 2 }),
      },
      { requiredKeys: ['id', 'question', 'query'] },
    ),
    { maxLength: 2 },
  ),
});

const items = (kind: fc.Arbitrary<AnnotationKind>): fc.Arbitrary<AnnotationItem> =>
  fc
    .record({
      kind,
      dbId: filled,
      table: text,
      tableOriginal: filled,
      column: filled,
      columnOriginal: filled,
      type: fc.constantFrom(...COLUMN_TYPES),
      candidates: fc.uniqueArray(
        fc.record(
          {
            name: filled,
            source: fc.constantFrom('retrieval', 'dictionary'),
            origin: fc.option(fc.record({ table: text, title: text, column: text })),
            difficulty: fc.integer({ min: 0, max: 100 }).map((n) => n / 100),
          },
          { requiredKeys: ['name', 'source', 'origin'] },
        ),
        { maxLength: 5, selector: ({ name }) => name },
      ),
    })
    .map((item) => ({ id: annotationItemId(item), ...item }));

/** An answer as a project stores it: accepted names of the list in its order, names of one's own for RPL only. */
function answers(item: AnnotationItem): fc.Arbitrary<Answer> {
  return fc.record({
    state: fc.constantFrom(...ANSWER_STATES),
    accepted: fc.subarray(item.candidates.map(({ name }) => name)),
    written: item.kind === 'ADD' ? fc.constant([]) : fc.uniqueArray(trimmed, { maxLength: 3 }),
    comment: text,
    flagged: fc.boolean(),
  });
}

const times = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true });

function stored(item: AnnotationItem, role: string): fc.Arbitrary<StoredAnswer> {
  const who = fc.constantFrom(...namesOf(role));
  return fc
    .tuple(answers(item), who, fc.integer({ min: 1, max: 9 }), times)
    .map(([answer, annotator, revision, time]) => ({
      ...answer,
      itemId: item.id,
      annotator,
      revision,
      savedAt: time.toISOString(),
    }));
}

const byRevision = ({ annotator, revision }: StoredAnswer): string => `${annotator} ${revision}`;

function records(kind: fc.Arbitrary<AnnotationKind>): fc.Arbitrary<ItemRecord> {
  return items(kind).chain((item) =>
    fc.record({
      item: fc.constant(item),
      context: contexts,
      scores: fc.array(
        fc.record({
          name: text,
          bucket: text,
          reason: text,
          similarity: score,
          association: score,
          e1: score,
          e2: score,
        }),
        { maxLength: 2 },
      ),
      answers: fc
        .uniqueArray(stored(item, 'annotator'), { maxLength: 4, selector: byRevision })
        .map((list) => inRevisionOrder(list)),
      adjudications: fc
        .uniqueArray(stored(item, 'reviewer'), { maxLength: 3, selector: ({ revision }) => revision })
        .map((list) => [...list].sort((a, b) => a.revision - b.revision)),
      conflicts: fc.array(fc.oneof(stored(item, 'annotator'), stored(item, 'reviewer')), { maxLength: 2 }),
    }),
  );
}

/** Everyone who has an answer in the records. */
function peopleIn(list: readonly ItemRecord[]): ExchangeSet['people'] {
  const names = list.flatMap((record) =>
    [...record.answers, ...record.adjudications, ...record.conflicts].map(({ annotator }) => annotator),
  );
  return PEOPLE.filter(({ name }) => names.includes(name));
}

/** Sets of items in every state, with names and comments that formats have to escape. */
export function exchangeSets(kind?: AnnotationKind): fc.Arbitrary<ExchangeSet & { records: readonly ItemRecord[] }> {
  const kinds = kind === undefined ? fc.constantFrom(...NAME_KINDS) : fc.constant(kind);
  return fc
    .uniqueArray(records(kinds), { minLength: 1, maxLength: 3, selector: ({ item }) => item.id })
    .map((list) => ({ name: 'a "project" <name>', people: peopleIn(list), notes: {}, records: list }));
}

/** A set as it is compared: people by name, records read. */
export function comparable({ people, records: given }: ExchangeSet): unknown {
  return { people: new Map([...rolesOf(people)].sort()), records: [...given] };
}
