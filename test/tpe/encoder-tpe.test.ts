import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ModelFileError } from '../../src/errors.js';
import { locateModel } from '../../src/inference/model-store.js';
import { SentenceEncoder } from '../../src/inference/sentence-encoder.js';
import { EncoderTpe, renderColumns } from '../../src/tpe/encoder-tpe.js';
import { embeddedHeadFolder, EntityHead } from '../../src/tpe/entity-head.js';
import { ENTITY_LABELS } from '../../src/tpe/entity-labels.js';
import { createContext } from '../nli/nli-fixture.js';
import { createTarget } from '../retriever/retriever-fixture.js';

const model = locateModel('table-context-encoder');
const encoder = new SentenceEncoder(model, 1);
afterAll(() => encoder.dispose());
const tpe = new EncoderTpe(encoder, EntityHead.open(model.sha256));

describe('EncoderTpe, with the models that ship', () => {
  test.each([
    ['player', 'position', 'height', 'weight', 'college'],
    ['city', 'population', 'area', 'county', 'mayor'],
    ['Episode', 'Title', 'Directed by', 'Original air date'],
    ['airport name', 'iata', 'passengers', 'runways'],
    ['date', 'opponent', 'result', 'attendance'],
  ])('tells what tables of %s, %s, … are about', async (...columns) => {
    const entities = { player: 'athlete', city: 'city', Episode: 'television program', date: 'sports event' };
    const [entity] = await tpe.predict([createTarget('table 1', columns)], createContext());
    expect(entity).toBe((entities as Record<string, string>)[columns[0]] ?? 'airport');
  });

  test('keeps to the table’s name where no label is sure', async () => {
    const targets = [
      createTarget('Table 1', ['c1', 'c2', 'c3']),
      createTarget('invoices', ['amount', 'due date', 'vat']),
    ];
    expect(await tpe.predict(targets, createContext())).toEqual(['table 1', 'invoice']);
  });

  test('answers a batch as it answers each table, whatever the values and the name', async () => {
    const columns = [['song', 'artist', 'album'], ['club', 'played', 'points'], []];
    const targets = columns.map((names) => createTarget('t', names));
    const others = columns.map((names) => createTarget('u', names));
    const batch = await tpe.rank(targets, createContext());
    const singles = [];
    for (const target of others) singles.push(...(await tpe.rank([target], createContext(2))));
    expect(batch).toEqual(singles);
    for (const ranked of batch) {
      expect(ranked.map(({ label }) => label).sort()).toEqual([...ENTITY_LABELS].sort());
      const sum = ranked.reduce((total, { probability }) => total + probability, 0);
      expect(sum).toBeGreaterThan(0);
      expect(sum).toBeLessThanOrEqual(1 + 1e-9);
      expect(ranked.every(({ probability }, i) => i === 0 || probability <= ranked[i - 1]!.probability)).toBe(true);
    }
    expect(await tpe.predict([], createContext())).toEqual([]);
  });

  test('reads no more columns than the encoder does', () => {
    expect(renderColumns(['Home  Team', 'Score'])).toBe('home team, score');
    expect(renderColumns(Array.from({ length: 200 }, (_, i) => `column ${i}`))).toHaveLength(320);
  });
});

describe('EntityHead', () => {
  const copy = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'perturbql-head-'));
    cpSync(embeddedHeadFolder(), folder, { recursive: true });
    return folder;
  };

  test('refuses a changed file, another encoder and an empty folder', () => {
    const folder = copy();
    const bytes = readFileSync(join(folder, 'head.bin'));
    bytes[0]! ^= 1;
    writeFileSync(join(folder, 'head.bin'), bytes);
    expect(() => EntityHead.open(model.sha256, folder)).toThrow(ModelFileError);
    expect(() => EntityHead.open('0'.repeat(64))).toThrow(ModelFileError);
    expect(() => EntityHead.open(model.sha256, mkdtempSync(join(tmpdir(), 'perturbql-head-')))).toThrow(ModelFileError);
  });
});
