import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawOrder, SAMPLE_CHOICES } from '../../../../src/variants/relations/names/candidate-difficulty.js';
import { createRng } from '../../../../src/seeded-rng.js';
import { decision, HOME_COUNTRY } from './garden-schema.js';

const NAMES = ['home nation', 'native land', 'home countries', 'origin'].map((name) => decision(HOME_COUNTRY, name));
const orderOf = (kind: 'RPL' | 'ADD', sample: (typeof SAMPLE_CHOICES)[number], seed: number): readonly string[] =>
  drawOrder(NAMES, kind, sample, createRng(seed, 'x')).map(({ candidate }) => candidate);

describe('drawOrder', () => {
  it('keeps every candidate once, the same for one seed', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SAMPLE_CHOICES), fc.constantFrom('RPL', 'ADD'), fc.nat(), (sample, kind, seed) => {
        const order = orderOf(kind, sample, seed);
        expect([...order].sort()).toEqual(NAMES.map(({ candidate }) => candidate).sort());
        expect(orderOf(kind, sample, seed)).toEqual(order);
      }),
    );
  });

  it('takes names that share no word with the old one first, and additions that do', () => {
    for (let seed = 0; seed < 20; seed++) {
      expect([...orderOf('RPL', 'hard', seed).slice(0, 2)].sort()).toEqual(['native land', 'origin']);
      expect([...orderOf('ADD', 'hard', seed).slice(0, 2)].sort()).toEqual(['home countries', 'home nation']);
    }
    expect(new Set([...Array(20).keys()].map((seed) => orderOf('RPL', 'hard', seed)[0])).size).toBe(2);
  });

  it('counts the middle name of three to neither half', () => {
    const three = NAMES.slice(0, 3);
    const firsts = [...Array(20).keys()].map((seed) => drawOrder(three, 'RPL', 'hard', createRng(seed, 'x'))[0]);
    expect(new Set(firsts.map((first) => first!.candidate))).toEqual(new Set(['native land']));
    expect(drawOrder(three.slice(0, 1), 'RPL', 'hard', createRng(0, 'x'))).toHaveLength(1);
  });

  it('takes word vectors where words do not decide, and the difficulty that was stored', () => {
    const names = [0.8, 0.1].map((similarity, i) => decision(HOME_COUNTRY, `land ${i}`, { similarity }));
    const first = (kind: 'RPL' | 'ADD'): string => drawOrder(names, kind, 'hard', createRng(0, 'x'))[0]!.candidate;
    expect([first('RPL'), first('ADD')]).toEqual(['land 1', 'land 0']);
    const stored = names.map((one, i) => ({ ...one, difficulty: i === 0 ? 1 : 0 }));
    expect(drawOrder(stored, 'RPL', 'hard', createRng(0, 'x'))[0]!.candidate).toBe('land 0');
  });

  it('draws from the harder half for some columns only where that is asked for', () => {
    const firsts = [...Array(40).keys()].map((seed) => orderOf('RPL', 'balanced', seed)[0]);
    const hard = firsts.filter((name) => name === 'origin' || name === 'native land').length;
    expect(hard).toBeGreaterThan(20);
    expect(hard).toBeLessThan(40);
  });
});
