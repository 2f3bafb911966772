import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/errors.js';
import { KEEP_PROBABILITY, MAX_CANDIDATES, MAX_REPEATS } from '../../src/dictionary/dictionary-source.js';
import { nearestWord } from '../../src/recipes/nearest-word.js';
import { applyAssignments, parseSettings, SETTING_NAMES } from '../../src/recipes/settings.js';
import { KEPT_CANDIDATES } from '../../src/reranker/word-vector-ranker.js';
import { errorOf } from '../error-of.js';

const faultOf = (action: () => unknown): ConfigError => errorOf(ConfigError, action);

describe('parseSettings', () => {
  test('has the paper’s numbers as defaults, not the notebook’s', () => {
    const { retriever, reranker, dictionary, nli, tpe, naturalness } = parseSettings({});
    expect(reranker.keep).toBe(20);
    expect(reranker.keep).toBe(KEPT_CANDIDATES);
    expect([dictionary.keepProbability, dictionary.maxCandidates, dictionary.maxRepeats]).toEqual([
      KEEP_PROBABILITY,
      MAX_CANDIDATES,
      MAX_REPEATS,
    ]);
    expect(nli).toMatchObject({ rplMin: null, addMax: null, fullScores: false });
    expect([retriever.id, retriever.topK, tpe.id, naturalness]).toEqual(['hnsw', null, 'auto', {}]);
  });

  test('keeps what is given and fills in the rest', () => {
    const settings = parseSettings({ nli: { rplMin: 0.6 }, naturalness: { short: false } });
    expect(settings.nli).toMatchObject({ rplMin: 0.6, nearMargin: 0.02 });
    expect(settings.naturalness).toEqual({ short: false });
    expect(parseSettings(settings)).toEqual(settings);
  });

  test.each<[unknown, string, string]>([
    [{ nli: { rplmin: 0.6 } }, 'nli.rplmin', 'nli.rplMin'],
    [{ nil: { rplMin: 0.6 } }, 'nil', 'nli'],
    [{ retriever: { topk: 3 } }, 'retriever.topk', 'retriever.topK'],
    [{ dictionary: { maxcandidates: 3 } }, 'dictionary.maxcandidates', 'dictionary.maxCandidates'],
    [{ rerankr: {} }, 'rerankr', 'reranker'],
  ])('refuses the unknown key of %j and suggests the known one', (input, key, meant) => {
    const fault = faultOf(() => parseSettings(input, 'perturbql.config.json'));
    expect(fault.message).toBe(`unknown setting "${key}"`);
    expect(fault.fix).toContain(`Did you mean "${meant}"?`);
    expect(fault.where).toEqual({ file: 'perturbql.config.json' });
  });

  test('suggests nothing where nothing is near, and lists what is known', () => {
    const { fix } = faultOf(() => parseSettings({ temperature: 1 }));
    expect(fix).not.toContain('Did you mean');
    expect(fix).toContain(
      'retriever, reranker, dictionary, bank, attributes, masked, identifiers, tpe, nli, naturalness',
    );
  });

  test.each<[unknown, string]>([
    [{ nli: { rplMin: '0.6' } }, 'nli.rplMin'],
    [{ nli: { rplMin: 1.5 } }, 'nli.rplMin'],
    [{ retriever: { topK: 0 } }, 'retriever.topK'],
    [{ retriever: { topK: 2.5 } }, 'retriever.topK'],
    [{ retriever: { id: 'faiss' } }, 'retriever.id'],
    [{ tpe: { annotations: '' } }, 'tpe.annotations'],
    [{ nli: 5 }, 'nli'],
    [{ naturalness: { short: 'no' } }, 'naturalness.short'],
  ])('refuses the value of %j, naming the setting', (input, name) => {
    const fault = faultOf(() => parseSettings(input));
    expect(fault.message.startsWith(`setting "${name}" is wrong: `)).toBe(true);
    expect(fault.fix).toContain(`"${name}"`);
  });

  test.each([null, [], 'nli', 7])('refuses %j in place of settings', (input) => {
    expect(faultOf(() => parseSettings(input)).message).toMatch(
      /^the set of settings is wrong: an object is expected, not /,
    );
  });

  test('knows every setting by its dotted name', () => {
    expect(SETTING_NAMES).toEqual(
      expect.arrayContaining(['retriever.id', 'reranker.keep', 'nli.rplMin', 'tpe.annotations']),
    );
    expect(new Set(SETTING_NAMES).size).toBe(SETTING_NAMES.length);
  });
});

describe('applyAssignments', () => {
  test('lays assignments over a file’s settings, the last one winning, without changing them', () => {
    const file = { nli: { rplMin: 0.7, addMax: 0.3 } };
    const result = applyAssignments(file, [
      'nli.rplMin=0.8',
      'nli.rplMin=0.55',
      'retriever.index=/a=b/c',
      'tpe.annotations=null',
      'naturalness.short=false',
    ]);
    expect(result).toEqual({
      nli: { rplMin: 0.55, addMax: 0.3 },
      retriever: { index: '/a=b/c' },
      tpe: { annotations: null },
      naturalness: { short: false },
    });
    expect(file).toEqual({ nli: { rplMin: 0.7, addMax: 0.3 } });
    expect(parseSettings(result).nli.rplMin).toBe(0.55);
  });

  test.each(['rplMin=0.6', 'nli.rplMin', 'nli.=1', '.rplMin=1', '', '='])(
    'refuses "%s", with an example',
    (assignment) => {
      const fault = faultOf(() => applyAssignments({}, [assignment]));
      expect(fault.message).toContain('group.name=value');
      expect(fault.fix).toContain('--set nli.rplMin=0.7');
    },
  );

  test('refuses an unknown name as the settings do', () => {
    expect(faultOf(() => parseSettings(applyAssignments({}, ['nli.min=0.6']))).message).toBe(
      'unknown setting "nli.min"',
    );
    expect(faultOf(() => parseSettings(applyAssignments({}, ['nli.rplMin=high']))).message).toMatch(
      /^setting "nli\.rplMin" is wrong/,
    );
  });

  test.each([5, 'text', null, true, [1]])('refuses a file whose group is %j', (group) => {
    const fault = faultOf(() => parseSettings(applyAssignments({ nli: group }, ['nli.rplMin=0.7'])));
    expect(fault.message).toMatch(/^setting "nli" is wrong/);
  });

  test('touches no prototype', () => {
    expect(faultOf(() => parseSettings(applyAssignments({}, ['__proto__.polluted=1']))).message).toContain('__proto__');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('nearestWord', () => {
  test('finds a word in itself and after one slip, and nothing for a stranger', () => {
    const known = ['retriever', 'reranker', 'dictionary', 'naturalness'];
    const slip = fc.tuple(fc.constantFrom(...known), fc.nat({ max: 8 }), fc.constantFrom('x', ''));
    fc.assert(
      fc.property(slip, ([word, at, put]) => {
        expect(nearestWord(word, known)).toBe(word);
        expect(nearestWord(word.slice(0, at) + put + word.slice(at + 1), known)).toBe(word);
      }),
    );
    expect(nearestWord('temperature', known)).toBeNull();
    expect(nearestWord('anything', [])).toBeNull();
  });
});

test.each([
  ['rplMn=0.4', ' Did you mean "nli.rplMin"?'],
  ['temperature=1', ''],
])('--set %s without a group is refused with the setting that is meant', (assignment, suggestion) => {
  const { fix } = faultOf(() => applyAssignments({}, [assignment]));
  expect(fix).toBe(`Write for instance --set nli.rplMin=0.7.${suggestion}`);
});
