import { describe, expect, it } from 'vitest';
import { manifestDifferences } from '../../src/run/manifest-differences.js';

const HASH = '73f184a30ca71ada5498db4ad626f6328e862cac24b247f53c281793c8a31164';
const OTHER = '48b72cc03957813b2d8fc864d44cc66f43260f83d47672640229e1d2f0a8ca9e';

const MADE = {
  version: '0.1.0',
  seed: 0,
  settings: {
    recipe: 'cta',
    keepStar: false,
    budget: null,
    seeds: [0, 1],
    exports: [],
    nli: { rplMin: 0.82, model: null },
    candidatesSha256: HASH,
    victim: { id: 'baseline', fingerprint: `baseline:1:${HASH}` },
    parts: { retrieval: `retrieval:5:hnsw:1:${HASH.slice(0, 32)}` },
  },
  inputs: { tables: HASH, examples: HASH, examplesName: 'dev.json' },
};
const settings = (more: object): typeof MADE => ({ ...MADE, settings: { ...MADE.settings, ...more } });

describe('manifestDifferences', () => {
  it('finds none in the same', () => {
    expect(manifestDifferences(MADE, structuredClone(MADE))).toEqual([]);
    expect(manifestDifferences(MADE, settings({ graph: null }))).toEqual([]);
  });

  it.each([
    ['another version', { ...MADE, version: '0.2.0' }, 'made by perturbql 0.1.0, and this is 0.2.0'],
    ['a seed', { ...MADE, seed: 3 }, 'seed is 3 here, the run was made with 0'],
    ['a name', settings({ recipe: 'random' }), 'recipe is random here, the run was made with cta'],
    ['a nested number', settings({ nli: { rplMin: 0.7 } }), 'nli.rplMin is 0.7 here, the run was made with 0.82'],
    ['what is set now', settings({ budget: 20 }), 'budget is 20 here, the run was made without it'],
    ['what is not set now', settings({ nli: {} }), 'nli.rplMin is not set here, the run was made with 0.82'],
    ['a flag', settings({ keepStar: true }), 'keepStar is on here, the run was made with off'],
    ['a list', settings({ seeds: [0] }), 'seeds is 0 here, the run was made with 0, 1'],
    ['an empty list', settings({ exports: ['chat'] }), 'exports is chat here, the run was made with none'],
    ['a hash', settings({ candidatesSha256: OTHER }), 'candidates changed since the run was made'],
    [
      'a fingerprint',
      settings({ victim: { id: 'baseline', fingerprint: `baseline:1:${OTHER}` } }),
      'victim changed since the run was made',
    ],
    [
      'a part with a hash in it',
      settings({ parts: { retrieval: 'retrieval:5:exact:1' } }),
      'parts.retrieval changed since the run was made',
    ],
  ])('says %s in words', (_, now, words) => {
    expect(manifestDifferences(MADE, now)).toEqual([words]);
  });

  const command = (program: string, args: string, prompt = HASH): string =>
    `command-1:${program},arguments=${args},prompt=${prompt}`;
  const endpoint = (url: string, model: string, asked: string): string =>
    `endpoint-1:${url},model=${model},prompt=${HASH},settings=${asked.slice(0, 16)}`;

  it.each([
    [
      'of another program',
      command('pyton3', HASH),
      command('python3', OTHER),
      'victim is python3 here, the run was made with pyton3',
    ],
    [
      'of other arguments',
      command('python3', HASH),
      command('python3', OTHER),
      'victim changed since the run was made: its arguments',
    ],
    [
      'of other arguments and another prompt',
      command('python3', HASH),
      command('python3', OTHER, OTHER),
      'victim changed since the run was made: its arguments and prompt',
    ],
    [
      'of another model',
      endpoint('http://h/v1', 'x', HASH),
      endpoint('http://h/v1', 'y', OTHER),
      'victim is http://h/v1, model=y here, the run was made with http://h/v1, model=x',
    ],
    [
      'with other settings',
      endpoint('http://h/v1', 'x', HASH),
      endpoint('http://h/v1', 'x', OTHER),
      'victim changed since the run was made: its settings',
    ],
    [
      'of another kind',
      command('python3', HASH),
      endpoint('http://h/v1', 'x', HASH),
      'victim is endpoint-1:http://h/v1, model=x here, the run was made with command-1:python3',
    ],
  ])('says old and new of a victim %s, without hashes', (_, before, now, words) => {
    const made = settings({ victim: { fingerprint: before } });
    expect(manifestDifferences(made, settings({ victim: { fingerprint: now } }))).toEqual([words]);
  });

  it.each([
    [
      'changed',
      { ...MADE.inputs, examples: OTHER },
      'the contents of examples (dev.json) changed since the run was made',
    ],
    [
      'are of another name',
      { ...MADE.inputs, examplesName: 'a.json' },
      'examples is a.json here, the run was made with dev.json',
    ],
    [
      'are of another name and content',
      { ...MADE.inputs, examples: OTHER, examplesName: 'a.json' },
      'examples is a.json here, the run was made with dev.json',
    ],
    ['are new', { ...MADE.inputs, databases: OTHER }, 'the run was made without databases'],
    ['are gone', { examples: HASH, examplesName: 'dev.json' }, 'the run was made with tables, and here is none'],
  ])('says which inputs %s', (_, inputs, words) => {
    expect(manifestDifferences(MADE, { ...MADE, inputs })).toEqual([words]);
  });
});
