import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BUCKETS,
  type CandidateDecision,
  loadCandidates,
  renderCandidate,
} from '../../../src/formats/artifacts/candidates.js';
import { COLUMN_TYPES } from '../../../src/schema/schema.js';
import { CANDIDATE_SOURCES } from '../../../src/stage.js';
import { createFile, faultOf } from '../format-fixture.js';

const probability = fc.option(fc.double({ min: 0, max: 1, noNaN: true }));
const name = fc.string({ minLength: 1 });
const ORIGINALS = { table_original: fc.string(), column_original: fc.string() };
const REST = {
  db_id: name,
  table: fc.string(),
  column: fc.string(),
  bucket: fc.constantFrom(...BUCKETS),
  reason: name,
  candidate: name,
  source: fc.constantFrom(...CANDIDATE_SOURCES),
  origin: fc.option(
    fc.record({
      table: fc.string(),
      title: fc.string(),
      column: fc.string(),
      type: fc.constantFrom(...COLUMN_TYPES),
      score: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
    }),
  ),
  similarity: fc.option(fc.double({ min: -1, max: 1, noNaN: true })),
  // Earlier versions had a sum of cosines there.
  association: fc.option(fc.double({ min: -20, max: 14, noNaN: true })),
  e1: probability,
  e2: probability,
  against: fc.option(fc.string()),
  near: fc.boolean(),
};
const RATED = { ...REST, ...ORIGINALS, difficulty: fc.double({ min: 0, max: 1, noNaN: true }) };
// Files of earlier versions have no original names and no difficulty.
const decisions: fc.Arbitrary<CandidateDecision> = fc.oneof(
  fc.record(REST),
  fc.record({ ...REST, ...ORIGINALS }),
  fc.record(RATED),
);

describe('candidates.jsonl', () => {
  test('is read back as it was rendered, a line per decision', () => {
    fc.assert(
      fc.property(fc.array(decisions, { maxLength: 5 }), (list) => {
        const text = list.map(renderCandidate).join('');
        expect(text.split('\n')).toHaveLength(list.length + 1);
        // JSON has no negative zero.
        expect(loadCandidates(createFile(text, 'candidates.jsonl'))).toEqual(JSON.parse(JSON.stringify(list)));
      }),
      { numRuns: 30 },
    );
  });

  const good = renderCandidate(fc.sample(decisions, { seed: 1, numRuns: 1 })[0]!);

  test('may have blank lines and Windows line ends', () => {
    expect(loadCandidates(createFile(`\n${good.trimEnd()}\r\n\r\n${good}`))).toHaveLength(2);
  });

  test.each<[string, (line: string) => string, RegExp]>([
    ['is not JSON', (line) => line.slice(0, 40), /not JSON/],
    [
      'has an unknown bucket',
      (line) => JSON.stringify({ ...(JSON.parse(line) as object), bucket: 'MAYBE' }),
      /field "bucket"/,
    ],
    ['has a score over 1', (line) => JSON.stringify({ ...(JSON.parse(line) as object), e1: 1.2 }), /field "e1"/],
    ['has an unknown field', (line) => JSON.stringify({ ...(JSON.parse(line) as object), comment: '' }), /wrong/],
    [
      'lacks a field',
      (line) => JSON.stringify({ ...(JSON.parse(line) as object), reason: undefined }),
      /field "reason"/,
    ],
    ['is a list', () => '[]', /the record is wrong/],
  ])('a line that %s is named', (_, spoil, message) => {
    const file = createFile(`${good}${good}\n${spoil(good)}\n${good}`, 'candidates.jsonl');
    const fault = faultOf(() => loadCandidates(file));
    expect(fault.message).toMatch(message);
    expect(fault.where).toMatchObject({ file, line: 4 });
  });
});
