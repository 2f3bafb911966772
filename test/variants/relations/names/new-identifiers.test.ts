import { describe, expect, it } from 'vitest';
import { drawPerturbation, type DrawRequest } from '../../../../src/variants/relations/names/draw-perturbation.js';
import { type AbbreviateChoice, NewIdentifiers } from '../../../../src/variants/relations/names/new-column-names.js';
import type { ColumnRef, Database } from '../../../../src/schema/schema.js';
import { createRng } from '../../../../src/seeded-rng.js';
import { acceptedDecision } from '../../../e2e/example-data.js';
import { CandidatePool } from '../../../../src/variants/relations/names/candidate-pool.js';

const table = (name: string, columns: Readonly<Record<string, string>>): Database['tables'][number] => ({
  name,
  originalName: name,
  columns: Object.entries(columns).map(([originalName, words]) => ({
    name: words,
    originalName,
    type: 'text' as const,
    ...(words.replaceAll(' ', '_') === originalName.toLowerCase()
      ? {}
      : { reading: { confidence: 0.9, evidence: 'list', unread: [] } }),
  })),
});

/** Patients and visits abbreviate throughout, staff does not. */
const CLINIC: Database = {
  id: 'clinic',
  tables: [
    table('patients', {
      pat_id: 'patient id',
      pat_nm: 'patient name',
      dob: 'date of birth',
      ins_prov_cd: 'insurance provider code',
    }),
    table('visits', {
      pat_id: 'patient id',
      doc_id: 'doctor id',
      visit_dt: 'visit date',
      dur_min: 'duration minutes',
      status: 'status',
    }),
    table('staff', { staff_id: 'staff id', doc_nm: 'doctor name', department: 'department', speciality: 'speciality' }),
  ],
  primaryKeys: [{ table: 0, column: 0 }],
  foreignKeys: [{ from: { table: 1, column: 0 }, to: { table: 0, column: 0 } }],
};

const at = (table: number, column: number): ColumnRef => ({ table, column });

describe('a new name', () => {
  const written = (ref: ColumnRef, name: string, abbreviate: AbbreviateChoice): string => {
    const identifiers = new NewIdentifiers(CLINIC, abbreviate);
    return identifiers.abbreviated(ref, name) ?? identifiers.inFull(ref, name);
  };

  it.each([
    ['as its table abbreviates the words', at(0, 1), 'patient code', 'pat_cd'],
    ['as another table does', at(0, 1), 'doctor minutes', 'doc_min'],
    ['a phrase by its initials', at(0, 2), 'patient date of birth', 'pat_dob'],
    ['a word that no identifier has in the usual way', at(0, 1), 'patient address', 'pat_addr'],
    ['any other without its vowels', at(0, 1), 'patient surname', 'pat_srnm'],
    ['what would be read as another word otherwise', at(1, 1), 'document id', 'dcmnt_id'],
    ['in full where few of the table’s columns abbreviate', at(2, 1), 'doctor code', 'doctor_code'],
  ])('is written as the schema abbreviates: %s', (_, ref, name, expected) => {
    expect(written(ref, name, 'as-schema')).toBe(expected);
    expect(written(ref, name, 'never')).toBe(name.replaceAll(' ', '_'));
  });
});

describe('names that are drawn', () => {
  const draw = async (names: readonly (readonly [ColumnRef, string])[]): Promise<readonly string[]> => {
    const decisions = names.map(([ref, candidate]) => {
      const { name, columns } = CLINIC.tables[ref.table]!;
      return acceptedDecision({ db_id: CLINIC.id, table: name, column: columns[ref.column]!.name, candidate });
    });
    const asked: DrawRequest = {
      database: CLINIC,
      columns: names.map(([ref]) => ref),
      kind: 'RPL',
      sample: 'random',
      linkedKeys: 'same',
      pool: new CandidatePool(decisions),
      abbreviate: 'as-schema',
      areEquivalent: () => Promise.resolve(false),
    };
    const { changes } = await drawPerturbation(asked, createRng(0, 'x'));
    return changes.map(({ ref, originalName }) => `${ref.table}.${ref.column} ${originalName}`);
  };

  it('stay apart: the second of two with one abbreviation is in full', async () => {
    expect(
      await draw([
        [at(0, 1), 'patient carton'],
        [at(0, 2), 'patient creation'],
      ]),
    ).toEqual(['0.1 pat_crtn', '0.2 patient_creation']);
  });

  it('of linked keys are one', async () => {
    expect(await draw([[at(0, 0), 'patient number']])).toEqual(['1.0 pat_nbr', '0.0 pat_nbr']);
  });
});
