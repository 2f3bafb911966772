import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ModelFileError } from '../../../src/errors.js';
import { AcceptabilityModel, readAcceptabilityManifest } from '../../../src/nli/acceptability/acceptability-model.js';
import { NAME_FEATURES, nameFeatures, type NameWitness } from '../../../src/nli/acceptability/name-features.js';
import { sha256Of } from '../../../src/run/sha256.js';
import type { Column, Table } from '../../../src/schema/schema.js';
import { errorOf } from '../../error-of.js';
import { createFolder } from '../../run/run-fixture.js';

const featureOf = (name: string): number => NAME_FEATURES.indexOf(name);
/** A tree that says 2 where a name has at most one word, and -2 of others. */
const STUMP = { feature: [featureOf('words'), 0, 0], at: [1, 2, -2], left: [1, -1, -1], right: [2, -1, -1] };
const OUTPUT = { base: 0.5, trees: [STUMP], combined: { trees: 1, judge: 1, constant: 0 }, floor: 0 };

function writeModel(change: object = {}): string {
  const folder = join(createFolder(), 'acceptability');
  mkdirSync(folder);
  const outputs = { replacement: OUTPUT, addition: OUTPUT, topic: OUTPUT };
  const bytes = JSON.stringify({ features: NAME_FEATURES, outputs, ...change });
  writeFileSync(join(folder, 'trees.json'), bytes);
  const files = { 'trees.json': { bytes: bytes.length, sha256: sha256Of(bytes) } };
  const thresholds = { replacement: 0.3, addition: 0.4, topic: 0.5 };
  const about = { task: 'acceptability', name: 'tiny', revision: 'v1', license: 'MIT', judge: 'none' };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...about, thresholds, proposed: thresholds, files }));
  return folder;
}

const columnOf = (name: string): Column => ({ name, originalName: name, type: 'text' });
const TABLE: Table = {
  name: 'singer',
  originalName: 'singer',
  columns: ['name', 'birth date', 'country'].map(columnOf),
};
const WITNESS = { nearestName: 0.7, count: 2 } as NameWitness;
const features = (candidate: string, source: 'bank' | 'retrieval' = 'bank'): Float64Array =>
  nameFeatures({
    table: TABLE,
    column: columnOf('birth date'),
    nearestTable: 0.8,
    witness: () => WITNESS,
    similarity: (a, b) => (a === b ? 1 : a === 'country' && b === 'birth country' ? 0.9 : null),
    rank: (word) => (word === 'birth' ? 99 : null),
  })(candidate, source);

describe('nameFeatures', () => {
  it('gives each feature its place', () => {
    const of = features('birth country');
    expect(of).toHaveLength(NAME_FEATURES.length);
    const value = (name: string): number => of[featureOf(name)]!;
    expect(['columns', 'words', 'shared', 'new', 'lost', 'ofColumns', 'strange'].map(value)).toEqual([
      3, 2, 1, 1, 1, 1, 0,
    ]);
    expect(['similarity', 'similarityElsewhere', 'nearestTable', 'nearestName'].map(value)).toEqual([
      -0.3, 0.9, 0.8, 0.7,
    ]);
    expect(['sameFirst', 'sameHead', 'headElsewhere', 'source:bank', 'type:text', 'column:date'].map(value)).toEqual([
      ...[1, 0, 1],
      ...[1, 1, 1],
    ]);
    expect(value('rarity')).toBeCloseTo(Math.log1p(60_000));
  });
});

describe('AcceptabilityModel', () => {
  it('adds up its trees, and combines them with what the judge says', () => {
    const model = AcceptabilityModel.open(writeModel());
    const short = model.estimate(features('birthday'));
    const long = model.estimate(features('country of birth'));
    expect(short.isUnlikely.replacement).toBe(false);
    expect(long.isUnlikely).toEqual({ replacement: true, addition: true });
    expect(short.promise).toBeGreaterThan(long.promise);
    const even = { replacement: 0.5, addition: 0.5, topic: 0.5 };
    expect(short.combine(even).replacement).toBeCloseTo(1 / (1 + Math.exp(-2.5)));
    expect(short.combine({ ...even, topic: 0.01 }).topic).toBeLessThan(short.combine(even).topic);
  });

  it('refuses trees of other features, and files that its manifest does not know', () => {
    for (const folder of [writeModel({ features: ['words'] }), writeModel({ outputs: {} })])
      errorOf(ModelFileError, () => AcceptabilityModel.open(folder));
    const changed = writeModel();
    writeFileSync(join(changed, 'trees.json'), '{}');
    errorOf(ModelFileError, () => AcceptabilityModel.open(changed));
  });

  it('ships with the package', () => {
    expect(AcceptabilityModel.open().fingerprint).toMatch(/^[0-9a-f]{64}$/);
    const { thresholds } = readAcceptabilityManifest();
    expect(Object.keys(thresholds)).toEqual(['replacement', 'addition', 'topic']);
  });
});
