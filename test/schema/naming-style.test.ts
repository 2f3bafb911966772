import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadSpiderTables } from '../../src/formats/spider-tables.js';
import {
  columnNamingStyle,
  detectNamingStyle,
  longestNewIdentifier,
  type NamingStyle,
  styledIdentifier,
} from '../../src/schema/naming-style.js';
import type { Database } from '../../src/schema/schema.js';

const STYLES: readonly NamingStyle[] = [
  'snake_case',
  'Capital_Snake',
  'Sentence_snake',
  'UPPER_SNAKE',
  'camelCase',
  'PascalCase',
  'spaces',
  'Capital Spaces',
  'Sentence spaces',
  'UPPER SPACES',
  'joined',
  'UPPERJOINED',
];
const TABLES = '../shared/data/spider/tables.json';

const word = fc.stringMatching(/^[a-z]{2,8}$/);
const words = fc.array(word, { minLength: 2, maxLength: 4 });

function database(...columns: readonly (readonly [original: string, name: string])[]): Database {
  const table = {
    name: 't',
    originalName: 't',
    columns: columns.map(([originalName, name]) => ({ originalName, name, type: 'text' as const })),
  };
  return { id: 'd', tables: [table], primaryKeys: [], foreignKeys: [] };
}

describe('rendering and detecting', () => {
  test.each<[NamingStyle, string]>([
    ['snake_case', 'home_town_id'],
    ['Capital_Snake', 'Home_Town_Id'],
    ['UPPER_SNAKE', 'HOME_TOWN_ID'],
    ['camelCase', 'homeTownId'],
    ['PascalCase', 'HomeTownId'],
    ['spaces', 'home town id'],
    ['Capital Spaces', 'Home Town Id'],
    ['Sentence_snake', 'Home_town_id'],
    ['Sentence spaces', 'Home town id'],
    ['UPPER SPACES', 'HOME TOWN ID'],
    ['joined', 'hometownid'],
    ['UPPERJOINED', 'HOMETOWNID'],
  ])('%s is "%s"', (style, identifier) => {
    expect(styledIdentifier('home town id', style)).toBe(identifier);
  });

  test('agree: what is rendered in a style is detected as that style', () => {
    fc.assert(
      fc.property(words, fc.constantFrom(...STYLES), (name, style) => {
        const natural = name.join(' ');
        expect(detectNamingStyle({ originalName: styledIdentifier(natural, style), name: natural })).toBe(style);
      }),
    );
  });

  test('keep "ID" in capitals where the replaced column has it so', () => {
    expect(styledIdentifier('customer id', 'Capital_Snake', 'Client_ID')).toBe('Customer_ID');
    expect(styledIdentifier('customer id', 'Capital_Snake', 'Client_Id')).toBe('Customer_Id');
    expect(styledIdentifier('customer id', 'snake_case', 'PAID')).toBe('customer_id');
  });

  test('keep the acronyms that the replaced column has', () => {
    expect(styledIdentifier('student id', 'PascalCase', 'StuID')).toBe('StudentID');
    expect(styledIdentifier('id number', 'camelCase', 'playerID')).toBe('idNumber');
    expect(styledIdentifier('mean gpa', 'snake_case', 'avg_GPA')).toBe('mean_GPA');
    expect(styledIdentifier('full name', 'Capital_Snake', 'NAME')).toBe('Full_Name');
  });

  test('drop punctuation, keep other alphabets, and give nothing for nothing', () => {
    expect(styledIdentifier('  sales (us$) – total ', 'snake_case')).toBe('sales_us_total');
    expect(styledIdentifier('größe der stadt', 'PascalCase')).toBe('GrößeDerStadt');
    expect(styledIdentifier('🙂 !', 'snake_case')).toBe('');
  });

  test.each(["administrator's email 1", 'administrator’s email 1'])('take %s as it is said', (name) => {
    expect(styledIdentifier(name, 'PascalCase')).toBe('AdministratorsEmail1');
    expect(styledIdentifier(name, 'snake_case')).toBe('administrators_email_1');
    expect(styledIdentifier("owners' club", 'camelCase')).toBe('ownersClub');
  });

  test('give only letters, digits and the style’s separator', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...STYLES), (name, style) => {
        expect(styledIdentifier(name, style)).toMatch(/^[\p{L}\p{N}_ ]*$/u);
      }),
    );
  });

  test('a single lower-case word says nothing', () => {
    expect(detectNamingStyle({ originalName: 'age', name: 'age' })).toBeNull();
    expect(detectNamingStyle({ originalName: 'Age', name: 'age' })).toBeNull();
  });
});

describe('columnNamingStyle', () => {
  const reading = { confidence: 0.9, evidence: 'pat: table', unread: [] };
  const readAs = (...columns: readonly (readonly [string, string])[]): Database => {
    const { tables, ...rest } = database(...columns);
    const read = tables.map((table) => ({
      ...table,
      columns: table.columns.map((column) => ({ ...column, reading })),
    }));
    return { ...rest, tables: read };
  };

  test.each<[string, readonly (readonly [string, string])[], string]>([
    ['words written together', [['patnm', 'patient name']], 'newname'],
    ['words written together in capitals', [['PATNM', 'patient name']], 'NEWNAME'],
    ['letters that a word lacks', [['xfer_amt', 'transfer amount']], 'new_name'],
    ['initials, which are one word', [['dob', 'date of birth']], 'new_name'],
    ['an abbreviation, which is one word', [['QUANT', 'quantity on hand']], 'NEW_NAME'],
    [
      'separated words elsewhere in its table',
      [
        ['patnm', 'patient name'],
        ['appt_dt', 'appointment date'],
      ],
      'new_name',
    ],
  ])('is of what an identifier was read as: %s', (_, columns, expected) => {
    expect(styledIdentifier('new name', columnNamingStyle(readAs(...columns), { table: 0, column: 0 }))).toBe(expected);
  });

  test('is the column’s own where its name shows one', () => {
    expect(
      columnNamingStyle(database(['homeTown', 'home town'], ['first_name', 'first name']), { table: 0, column: 0 }),
    ).toBe('camelCase');
  });

  test('is the table’s commonest for a name that shows none, as far as the case fits', () => {
    const mixed = database(
      ['Age', 'age'],
      ['Home_Town', 'home town'],
      ['Last_Name', 'last name'],
      ['stageName', 'stage name'],
      ['sex', 'sex'],
    );
    expect(columnNamingStyle(mixed, { table: 0, column: 0 })).toBe('Capital_Snake');
    expect(['snake_case', 'camelCase']).toContain(columnNamingStyle(mixed, { table: 0, column: 4 }));
  });

  test.each<[string, readonly (readonly [string, string])[], string]>([
    [
      'a description that has spaces says nothing',
      [
        ['id', 'unique number of the card'],
        ['manaCost', 'mana cost'],
      ],
      'newName',
    ],
    [
      'its table has capitals in front',
      [
        ['uid', 'airline id'],
        ['FlightNo', 'flight number'],
      ],
      'newName',
    ],
    [
      'its table separates words',
      [
        ['hometown', 'home town'],
        ['last_name', 'last name'],
      ],
      'new_name',
    ],
    [
      'its table is written in capitals',
      [
        ['LANGUAGE', 'language'],
        ['HOME_TOWN', 'home town'],
      ],
      'NEW_NAME',
    ],
    [
      'its table writes words together',
      [
        ['gender', 'gender'],
        ['unittype', 'unit type'],
      ],
      'newname',
    ],
    [
      'its table writes capitals together',
      [
        ['CITYPOP', 'city pop'],
        ['AREA', 'area'],
      ],
      'NEWNAME',
    ],
    [
      'a word in capitals next to those',
      [
        ['CAPITAL', 'capital'],
        ['CITYPOP', 'city pop'],
      ],
      'NEWNAME',
    ],
    ['a sentence', [['Level_of_membership', 'level of membership']], 'New_name'],
    ['a sentence with spaces', [['Years of service', 'years of service']], 'New name'],
    ['acronyms in front', [['CDSCode', 'cds code']], 'NewName'],
    ['spaces, in capitals', [['AGE GROUP', 'age group']], 'NEW NAME'],
  ])('writes a new name as the schema does: %s', (_, columns, expected) => {
    const style = columnNamingStyle(database(...columns), { table: 0, column: 0 });
    expect(styledIdentifier('new name', style)).toBe(expected);
  });

  test('asks the database where the table shows no style', () => {
    const [one, other] = [database(['uid', 'airline id']), database(['FlightNo', 'flight number'])];
    const both = { tables: [...one.tables, ...other.tables] };
    expect(columnNamingStyle(both, { table: 0, column: 0 })).toBe('camelCase');
  });

  test('falls back by the case of the name', () => {
    expect(columnNamingStyle(database(['Age', 'age']), { table: 0, column: 0 })).toBe('Capital_Snake');
    expect(columnNamingStyle(database(['age', 'age']), { table: 0, column: 0 })).toBe('snake_case');
  });
});

test('a new identifier is at most half as long again as the longest of its schema', () => {
  expect(longestNewIdentifier(database(['id', 'id'], ['hometown1', 'home town 1']))).toBe(13);
});

test('counts what an abbreviated identifier was read as', () => {
  const reading = { confidence: 0.9, evidence: 'pat: list', unread: [] };
  const column = { name: 'patient name', originalName: 'pat_nm', type: 'text' as const };
  const longest = (more: object): number => {
    const table = { name: 'patient', originalName: 'pat', columns: [{ ...column, ...more }] };
    return longestNewIdentifier({ tables: [table] });
  };
  expect([longest({}), longest({ reading })]).toEqual([9, 18]);
});

describe.skipIf(!existsSync(TABLES))('on Spider’s 166 schemas (skipped where ../shared/data is absent)', () => {
  test('gives at least 75 % of the original names back from the natural ones, or from the original’s words', () => {
    let [columns, exact] = [0, 0];
    for (const db of loadSpiderTables(TABLES).values()) {
      db.tables.forEach((table, t) => {
        table.columns.forEach(({ name, originalName }, c) => {
          // Natural names that spell out or repair ("cID" → "course id") can't come back in any style.
          if (name.replace(/[^a-z0-9]/g, '') !== originalName.toLowerCase().replace(/[^a-z0-9]/g, '')) return;
          columns++;
          if (styledIdentifier(name, columnNamingStyle(db, { table: t, column: c }), originalName) === originalName)
            exact++;
        });
      });
    }
    expect(columns).toBeGreaterThan(1000);
    expect(exact / columns).toBeGreaterThanOrEqual(0.75);
  });
});
