import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { identifierReader } from '../../../src/formats/identifier-reading.js';
import { readingConfidence, readingText, unreadParts } from '../../../src/schema/identifiers/reading.js';
import type { SchemaEvidence } from '../../../src/schema/identifiers/identifier-reader.js';
import type { ColumnType, Database } from '../../../src/schema/schema.js';

type Typed = string | readonly [string, ColumnType];

function databaseOf(tables: Readonly<Record<string, readonly Typed[]>>): Database {
  return {
    id: 'd',
    tables: Object.entries(tables).map(([table, columns]) => ({
      name: table,
      originalName: table,
      columns: columns.map((column) => {
        const [originalName, type] = typeof column === 'string' ? ([column, 'text'] as const) : column;
        return { name: originalName, originalName, type };
      }),
    })),
    primaryKeys: Object.keys(tables).map((_, table) => ({ table, column: 0 })),
    foreignKeys: [],
  };
}

function readAll(database: Database, evidence: SchemaEvidence = {}): Readonly<Record<string, string>> {
  const readings = identifierReader().read(database, evidence);
  return Object.fromEntries(
    readings.map((reading) => {
      const table = database.tables[reading.table]!;
      const name = reading.column === null ? table.originalName : table.columns[reading.column]!.originalName;
      return [name, readingText(reading)];
    }),
  );
}

describe('what people read in a clinic', () => {
  const clinic = databaseOf({
    patients: ['pat_id', 'pat_nm', ['dob', 'time'], 'addr', 'ins_prov_cd', 'tel_no'],
    appointments: [['appt_dt', 'time'], ['dur_min', 'number'], 'doc_id', 'pat_id', 'canc_flg'],
    doctors: ['doc_id', 'doc_nm', 'dept_cd', ['yrs_exp', 'number'], ['hire_dt', 'time']],
    prescriptions: [['rx_qty', 'number'], ['dosage_mg', 'number'], 'med_nm'],
  });
  const read = readAll(clinic);
  test.each([
    ['pat_nm', 'patient name'],
    ['appt_dt', 'appointment date'],
    ['dur_min', 'duration minutes'],
    ['yrs_exp', 'years experience'],
    ['dob', 'date of birth'],
    ['ins_prov_cd', 'insurance provider code'],
    ['doc_nm', 'doctor name'],
    ['hire_dt', 'hire date'],
    ['dept_cd', 'department code'],
  ])('%s: %s', (identifier, reading) => {
    expect(read[identifier]).toBe(reading);
  });
});

test('the table decides: "sp" is a species among animals and no special price', () => {
  const animals = databaseOf({ trap_captures: ['species', 'sp_code', 'weight', 'sex', 'trap_number'] });
  expect(readAll(animals)['sp_code']).toBe('species code');
});

test('a question decides, where it says the word', () => {
  const database = databaseOf({ shop: ['name', 'fac', 'city'] });
  const reading = (words: readonly string[]): string | undefined => readAll(database, { words })['fac'];
  expect(reading(['which', 'facility', 'is', 'the', 'oldest'])).toBe('facility');
});

test('a time is no unit, whatever a question says', () => {
  const trips: readonly Typed[] = ['trip_id', ['departure_ts', 'time'], ['arrival_ts', 'time'], ['load_t', 'number']];
  expect(readAll(databaseOf({ trips }), { words: ['how', 'many', 'tons', 'were', 'loaded'] })).toMatchObject({
    departure_ts: 'departure timestamp',
    arrival_ts: 'arrival timestamp',
    load_t: 'load tons',
  });
});

describe('words that are written together', () => {
  test.each(
    'unit discharge time|hospital discharge status|lab measure name system|release date|year month|gas stations'.split(
      '|',
    ),
  )('"%s" is found', (words) => {
    const identifier = words.replaceAll(' ', '');
    expect(readAll(databaseOf({ t: [identifier] }))[identifier]).toBe(words);
  });
  test.each(
    'customer torch birthday hometown username cholesterol thrombosis roosters undrafted nationality datetime bluetooth'.split(
      ' ',
    ),
  )('a word stays whole: %s', (word) => {
    expect(readAll(databaseOf({ t: [word] }))[word]).toBe(word);
  });
});

describe('silence', () => {
  test.each(['zqxv', 'kbrt_xx', 'qqq'])('letters that nothing explains stay, and are told: %s', (identifier) => {
    const database = databaseOf({ t: [identifier] });
    const reading = identifierReader()
      .read(database)
      .find(({ column }) => column === 0)!;
    expect(readingText(reading)).toBe(identifier.replaceAll('_', ' '));
    expect(unreadParts(reading)).not.toHaveLength(0);
  });
  test('codes keep their numbers', () => {
    expect(readAll(databaseOf({ t: ['icd9', 'address2'] }))).toMatchObject({ icd9: 'icd9', address2: 'address 2' });
  });
});

test('one abbreviation has one reading in a table unless the words around it say otherwise', () => {
  const read = readAll(databaseOf({ tbl: ['obs_dt', 'obs_tm', 'obs_notes', 'obs_id', 'observer_name'] }));
  expect(new Set(['obs_dt', 'obs_tm', 'obs_notes'].map((name) => read[name]!.split(' ')[0])).size).toBe(1);
});

test('any identifiers are read, in their order, the same each time, with a confidence from 0 to 1', () => {
  const identifier = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,24}$/);
  fc.assert(
    fc.property(fc.uniqueArray(identifier, { minLength: 1, maxLength: 5 }), (names) => {
      const database = databaseOf({ t: names });
      const readings = identifierReader().read(database);
      expect(readings).toHaveLength(names.length + 1);
      for (const reading of readings) {
        expect(readingConfidence(reading)).toBeGreaterThanOrEqual(0);
        expect(readingConfidence(reading)).toBeLessThanOrEqual(1);
      }
      expect(identifierReader().read(database)).toEqual(readings);
    }),
    { numRuns: 30 },
  );
});

test('a run of ten thousand letters is no name, and costs nothing', () => {
  const name = 'discharge'.repeat(1200);
  expect(readAll(databaseOf({ t: [name] }))[name]).toBe(name);
});
