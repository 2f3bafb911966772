import { expect, it } from 'vitest';
import { RecordIds } from '../../src/formats/variant-ids.js';

const ORIGINALS = [
  { id: 'a', question_id: 4 },
  { id: 'a__rpl', question_id: 7 },
];

it('names variants after their original, past names and numbers that are taken', () => {
  const ids = new RecordIds(ORIGINALS);
  expect(ids.idsOf({ id: 'a', question_id: 4 }, 'RPL')).toEqual({
    id: 'a__rpl_2',
    original_id: 'a',
    question_id: 8,
    original_question_id: 4,
  });
  expect(ids.idsOf({ id: 'a', question_id: 4 }, 'original')).toEqual({});
});

it('gives a record its own name where ids are texts; numbers stay numbers', () => {
  const ids = new RecordIds(ORIGINALS);
  expect(ids.namedIdsOf({ id: 'a', question_id: 4 }, 'a~SUB(b)')).toEqual({
    id: 'a~SUB(b)',
    original_id: 'a',
    question_id: 8,
    original_question_id: 4,
  });
  expect(ids.namedIdsOf({ question_id: 7 }, 'x')).toEqual({ question_id: 9, original_question_id: 7 });
});
