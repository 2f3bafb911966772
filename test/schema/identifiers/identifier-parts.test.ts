import fc from 'fast-check';
import { expect, test } from 'vitest';
import { identifierParts } from '../../../src/schema/identifiers/identifier-parts.js';

test.each([
  ['Witness_SpCode', 'witness sp code'],
  ['LVL1_%TSTD', 'lvl 1 tstd'],
  ['REGCONTACT_2ND', 'regcontact 2nd'],
  ['HTTPServer', 'http server'],
  ['PIDs', 'pids'],
  ['home town', 'home town'],
  ['address2', 'address 2'],
  ['größeM2', 'größe m 2'],
  ['%', ''],
  ['', ''],
])('%s has the parts "%s"', (identifier, parts) => {
  expect(
    identifierParts(identifier)
      .map(({ text }) => text)
      .join(' '),
  ).toBe(parts);
});

test('letters and digits are neither lost nor added, whatever the identifier', () => {
  const plain = (text: string): string =>
    text
      .normalize('NFC')
      .toLowerCase()
      .replace(/[^\p{L}\d]/gu, '');
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), (identifier) => {
      expect(
        identifierParts(identifier)
          .map(({ text }) => text)
          .join(''),
      ).toBe(plain(identifier));
    }),
  );
});
