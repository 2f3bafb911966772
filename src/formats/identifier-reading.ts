import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { packagePath } from '../package-path.js';
import { parseAbbreviationList } from '../schema/identifiers/part-hypotheses.js';
import { ColumnWords } from '../schema/identifiers/column-words.js';
import { FEATURES } from '../schema/identifiers/features.js';
import { IdentifierReader, type ReaderSettings } from '../schema/identifiers/identifier-reader.js';
import { SPELLING_SIZES } from '../schema/identifiers/spelling.js';
import { wordFrequencies } from './word-frequencies.js';

const FOLDER = 'data/identifiers';

/** An identifier reader's settings beyond words and abbreviations: feature weights, and calibration of its beliefs. */
const settingsSchema = z.strictObject({
  weights: z.record(z.enum(FEATURES), z.number()),
  spelling: z.strictObject({
    keep: z.array(z.number()).length(SPELLING_SIZES.keep),
    stop: z.array(z.number()).length(SPELLING_SIZES.stop),
  }),
  calibration: z.strictObject({
    slope: z.number(),
    abbreviating: z.number(),
    offset: z.number(),
    least: z.strictObject({ expanded: z.number(), joined: z.number() }),
  }),
});

/** A reader of identifiers over the words and abbreviations of a folder as data/identifiers is. */
export function createIdentifierReader(settings: ReaderSettings, folder: string): IdentifierReader {
  const topics = readFileSync(join(folder, 'topics.i8'));
  const words = new ColumnWords(
    readFileSync(join(folder, 'names.txt'), 'utf8'),
    new Int8Array(topics.buffer, topics.byteOffset, topics.length),
    wordFrequencies(),
  );
  const list = parseAbbreviationList(readFileSync(join(folder, 'abbreviations.tsv'), 'utf8'));
  return new IdentifierReader(words, list, settings);
}

let embedded: IdentifierReader | null = null;

/** A reader over what ships with the package (data/identifiers, 1.7 MB); `least` in place of its least confidence. */
export function embeddedIdentifierReader(least?: ReaderSettings['calibration']['least']): IdentifierReader {
  const folder = packagePath(FOLDER);
  const settings = settingsSchema.parse(JSON.parse(readFileSync(join(folder, 'weights.json'), 'utf8')));
  const calibration = { ...settings.calibration, ...(least === undefined ? {} : { least }) };
  return createIdentifierReader({ ...settings, calibration }, folder);
}

/** The reader that ships with the package; made at the first call. */
export function identifierReader(): IdentifierReader {
  return (embedded ??= embeddedIdentifierReader());
}
