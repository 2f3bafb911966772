import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AnnotationItem, annotationItemId, type StoredAnswer } from '../../../src/annotate/annotation.js';
import { exchangeFormat, type ExchangeFormatName } from '../../../src/annotate/exchange/exchange-formats.js';
import { type ExchangeSet } from '../../../src/annotate/exchange/exchange-set.js';
import type { ItemRecord } from '../../../src/annotate/project/item-store.js';
import { PerturbqlError } from '../../../src/errors.js';
import { rejectionOf } from '../../error-of.js';

/** A folder of the test's own. */
export function createFolder(): string {
  return mkdtempSync(join(tmpdir(), 'perturbql-exchange-'));
}

/** A file with a text in a folder of the test's own. */
export function createFile(name: string, text: string): string {
  const file = join(createFolder(), name);
  writeFileSync(file, text);
  return file;
}

/** A column of the invented lighthouse museum. */
export function sampleItem(change: Partial<AnnotationItem> = {}): AnnotationItem {
  const item = {
    kind: 'RPL',
    dbId: 'lighthouse_museum',
    table: 'keeper',
    tableOriginal: 'Keeper',
    column: 'home country',
    columnOriginal: 'Home_Country',
    type: 'text',
    candidates: ['homeland', 'native country', 'nation'].map((name) => ({
      name,
      source: 'dictionary',
      origin: null,
    })),
    ...change,
  } as const;
  return { id: annotationItemId(item), ...item };
}

/** An answer to `sampleItem`. */
export function sampleAnswer(change: Partial<StoredAnswer> = {}): StoredAnswer {
  return {
    itemId: sampleItem().id,
    annotator: 'ann',
    revision: 1,
    savedAt: '2026-03-01T10:00:00.000Z',
    state: 'done',
    accepted: ['homeland'],
    written: [],
    comment: '',
    flagged: false,
    ...change,
  };
}

/** A record of `sampleItem`. */
export function sampleRecord(change: Partial<ItemRecord> = {}): ItemRecord {
  return {
    item: sampleItem(),
    context: { entity: null, columns: [], rows: [], questions: [] },
    scores: [],
    answers: [],
    adjudications: [],
    conflicts: [],
    ...change,
  };
}

/** A set of records. */
export function sampleSet(...records: readonly ItemRecord[]): ExchangeSet {
  return { name: 'sample', people: [{ name: 'ann', role: 'annotator' }], notes: {}, records };
}

/** Reads a file and walks through all of it. */
export async function readAll(name: ExchangeFormatName, file: string): Promise<readonly ItemRecord[]> {
  const format = await exchangeFormat(name);
  return [...format.read(file, format.oneKind ? 'RPL' : null).records];
}

/** The error that work ends with. */
export const faultOf = (work: () => unknown): Promise<PerturbqlError> => rejectionOf(PerturbqlError, work);
