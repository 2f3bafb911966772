import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { letteredWords } from '../../../src/schema/identifiers/name-letters.js';

const shown = (identifier: string, name: string): string | null =>
  letteredWords(identifier, name)
    ?.map(({ letters, words, isSpelled }) => `${letters}=${words.join('-')}${isSpelled ? '' : '?'}`)
    .join(' ') ?? null;

describe('the letters of a name’s words', () => {
  test.each([
    ['pat_nm', 'patient name', 'pat=patient nm=name'],
    ['patNm', 'patient name', 'pat=patient nm=name'],
    ['PATNM', 'patient name', 'pat=patient nm=name'],
    ['home_town', 'home town', 'home=home town=town'],
    ['hometown', 'home town', 'home=home town=town'],
    ['dob', 'date of birth', 'dob=date-of-birth'],
    ['pat_dob', 'patient date of birth', 'pat=patient dob=date-of-birth'],
    ['num_staff', 'number of staff', 'num=number staff=staff'],
    ['xfer_amt', 'transfer amount', 'xfer=transfer? amt=amount'],
    ['ssn', 'social security number', 'ssn=social-security-number'],
    ['addr2', 'address 2', 'addr=address 2=2'],
    ['icd9_cd', 'icd9 code', 'icd9=icd9 cd=code'],
    ['fname', 'first name', 'f=first name=name'],
    ['dx_cd', 'diagnosis code', 'dx=diagnosis? cd=code'],
    ['amount', 'transfer amount', 'amount=transfer-amount?'],
    ['first_name', 'name', null],
    ['id', 'unique number of the person', null],
  ])('%s, "%s": %s', (identifier, name, expected) => {
    expect(shown(identifier, name)).toBe(expected);
  });

  test('are all of the identifier’s, in their order', () => {
    const text = fc.stringMatching(/^[a-z]{1,6}([_ ][a-z0-9]{1,6}){0,3}$/);
    fc.assert(
      fc.property(text, text, (identifier, name) => {
        const lettered = letteredWords(identifier, name);
        if (lettered === null) return;
        expect(lettered.map(({ letters }) => letters).join('')).toBe(identifier.replace(/[_ ]/g, ''));
      }),
    );
  });
});
