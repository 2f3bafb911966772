import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bareText, CSV_FORMAT, guardedText, joinNames, splitNames } from '../../../src/annotate/exchange/csv-format.js';
import {
  createFile,
  createFolder,
  faultOf,
  readAll,
  sampleAnswer,
  sampleItem,
  sampleRecord,
  sampleSet,
} from './exchange-fixture.js';

const HEADER = 'id,kind,db_id,table,table_original,column,column_original,type,candidates,annotator,state,accepted';
const ROW = 'k1,RPL,museum,keeper,Keeper,home country,Home_Country,text,homeland|nation | native land';

describe('a cell', () => {
  test('that a spreadsheet would run is guarded, and found again whatever it held', () => {
    const risky = fc.stringMatching(/^'{0,3}[=+\-@\t\r\n＝＋－＠]?[\s\S]{0,5}$/u);
    fc.assert(
      fc.property(fc.oneof(risky, fc.string({ unit: 'grapheme' })), (text) => {
        expect(guardedText(text)).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/u);
        expect(bareText(guardedText(text))).toBe(text);
      }),
    );
  });

  test('of names is found again, blanks, bars and line ends included', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', ' ', '|', '\\', '\n', '\r', 'e', 's', 'é') })),
        (names) => {
          expect(splitNames(joinNames(names))).toEqual(names);
          expect(joinNames(names)).not.toMatch(/[\r\n]/u);
        },
      ),
    );
  });

  test('of names by hand needs no blanks round the bars', () => {
    expect(splitNames('home town|place of birth  |  || birthplace')).toEqual([
      'home town',
      'place of birth',
      'birthplace',
    ]);
  });
});

describe('a CSV file', () => {
  test('quotes as RFC 4180 has it and lets no name or comment be a formula', () => {
    const item = sampleItem({ candidates: [{ name: '=1+1', source: 'dictionary', origin: null }] });
    const answer = sampleAnswer({ accepted: ['=1+1'], written: ['-2', 'two "words"'], comment: '@SUM(A1),\r\nnext' });
    const out = join(createFolder(), 'out.csv');
    CSV_FORMAT.write(sampleSet(sampleRecord({ item, answers: [answer] })), out);
    const text = readFileSync(out, 'utf8');
    expect(text).toContain(`,'=1+1,answer,ann,annotator,done,'=1+1,"'-2 | two ""words""","'@SUM(A1),\r\nnext",no,1,`);
    expect(text.split('\r\n')[0]).toMatch(/^id,kind,db_id,.*,details$/u);
    expect([...CSV_FORMAT.read(out, null).records][0]!.answers).toEqual([answer]);
  });

  test('by hand needs only what says the item and the answer', async () => {
    const file = createFile('hand.csv', `${HEADER}\n${ROW},ann,done,nation\n${ROW},ben,skipped,\n`);
    const [record] = await readAll('csv', file);
    expect(record!.item.candidates.map(({ name, source }) => [name, source])).toEqual([
      ['homeland', 'annotation'],
      ['nation', 'annotation'],
      ['native land', 'annotation'],
    ]);
    expect(record!.answers).toMatchObject([
      { annotator: 'ann', state: 'done', accepted: ['nation'], revision: 1, flagged: false },
      { annotator: 'ben', state: 'skipped', accepted: [] },
    ]);
  });

  test('may be sorted: what an item has is in any of its rows', () => {
    const context = { entity: 'keeper', columns: [], rows: [['1', 'Norway']], questions: [] };
    const answers = [sampleAnswer(), sampleAnswer({ annotator: 'ben' })];
    const out = join(createFolder(), 'out.csv');
    CSV_FORMAT.write(sampleSet(sampleRecord({ context, answers })), out);
    const [header, ...rows] = readFileSync(out, 'utf8').trimEnd().split('\r\n');
    const [record] = CSV_FORMAT.read(createFile('sorted.csv', [header, ...rows.reverse()].join('\r\n')), null).records;
    expect(record).toEqual(sampleRecord({ context, answers }));
  });

  test('brings back what a stale save held, a first one from revision 0 too', () => {
    const conflicts = [sampleAnswer({ revision: 0, comment: 'from a second window' })];
    const out = join(createFolder(), 'out.csv');
    CSV_FORMAT.write(sampleSet(sampleRecord({ answers: [sampleAnswer()], conflicts })), out);
    expect([...CSV_FORMAT.read(out, null).records][0]!.conflicts).toEqual(conflicts);
  });

  test('of a spreadsheet that separates by semicolons and adds a byte order mark is read', async () => {
    const text = `${HEADER}\n${ROW},ann,done,nation\n`.replaceAll(',', ';');
    const [record] = await readAll('csv', createFile('semicolons.csv', `\uFEFF${text}`));
    expect(record!.answers).toMatchObject([{ annotator: 'ann', accepted: ['nation'] }]);
  });

  test.each([
    [HEADER.replace('state,', ''), '', /hand\.csv:1: there is no column "state"/u],
    [
      HEADER,
      `${ROW},ann,finished,`,
      /record 2, item k1: "state" is "finished"\n\s+fix: Give one of draft, done, skipped/u,
    ],
    [HEADER, `${ROW.replace('RPL', 'rename')},ann,done,`, /item k1: "kind" is "rename"/u],
    [HEADER, `${ROW},,done,nation`, /record 2, item k1: an answer has no "annotator"/u],
    [`${HEADER},comment`, `${ROW},,,,whose is this`, /record 2, item k1: an answer has no "annotator"/u],
    [`${HEADER},revision`, `${ROW},ann,done,,1.5`, /"revision" is "1\.5"/u],
    [`${HEADER},saved_at`, `${ROW},ann,done,,yesterday`, /"saved_at" is "yesterday"/u],
    [`${HEADER},details`, `${ROW},ann,done,,{}`, /column details: field "candidates" is missing/u],
    [
      `${HEADER},details`,
      `${ROW},ann,done,,{`,
      /record 2, column details: what was exported here is no JSON any more/u,
    ],
    [HEADER, `${ROW.replace('k1', '')},ann,done,`, /the row has no "id"/u],
    [HEADER, '"open', /hand\.csv.*not CSV/u],
  ])('with a fault is refused with its place: %s / %s', async (header, row, message) => {
    const fault = await faultOf(() => readAll('csv', createFile('hand.csv', `${header}\n${row}\n`)));
    expect(fault.render()).toMatch(message);
  });
});
