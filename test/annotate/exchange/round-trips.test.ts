import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import {
  EXCHANGE_FORMATS,
  exchangeFormat,
  type ExchangeFormatName,
} from '../../../src/annotate/exchange/exchange-formats.js';
import { comparable, exchangeSets } from './exchange-arbitrary.js';

const folder = mkdtempSync(join(tmpdir(), 'perturbql-exchange-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Formats that carry whole records; ADVETA's has final names only. */
const WHOLE = EXCHANGE_FORMATS.filter((name) => name !== 'adveta');

const FILES: Partial<Record<ExchangeFormatName, string>> = { argilla: 'records.json', 'label-studio': 'tasks.json' };

/** The bytes of the file with the records. */
function bytesOf(name: ExchangeFormatName, out: string): string {
  return readFileSync(join(out, FILES[name] ?? ''), 'utf8');
}

describe.each(WHOLE)('%s', (name) => {
  test('what is written is read back the same: items, every revision, flags, comments, people', async () => {
    const format = await exchangeFormat(name);
    const out = join(folder, name);
    fc.assert(
      fc.property(exchangeSets(), (set) => {
        format.write(set, out);
        expect(comparable(format.read(out, null))).toEqual(comparable(set));
      }),
      { numRuns: 40 },
    );
  });

  test('what was read is written with the same bytes, and reading leaves the file alone', async () => {
    const format = await exchangeFormat(name);
    const [first, second, third] = ['1', '2', '3'].map((n) => join(folder, `${name}-${n}`)) as [string, string, string];
    format.write(fc.sample(exchangeSets(), { numRuns: 1, seed: 7 })[0]!, first);
    const before = bytesOf(name, first);
    format.write(format.read(first, null), second);
    format.write(format.read(second, null), third);
    expect(bytesOf(name, first)).toBe(before);
    expect(bytesOf(name, third)).toBe(bytesOf(name, second));
  });
});
