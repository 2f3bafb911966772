import { describe, expect, it } from 'vitest';
import { listCandidates } from '../../../src/annotate/init/project-items.js';
import type { CandidateDecision } from '../../../src/formats/artifacts/candidates.js';

function decision(candidate: string, given: Partial<CandidateDecision>): CandidateDecision {
  return {
    db_id: 'lighthouse_museum',
    table: 'keeper',
    column: 'home country',
    bucket: 'rejected',
    reason: 'between-thresholds',
    candidate,
    source: 'retrieval',
    origin: { table: 'w1', title: 'Keepers of the coast', column: candidate, type: 'text', score: 0.5 },
    similarity: 0.5,
    association: null,
    e1: 0.5,
    e2: 0.5,
    against: null,
    near: false,
    ...given,
  };
}

const add = (candidate: string, association: number): CandidateDecision =>
  decision(candidate, { bucket: 'ADD', reason: 'no-equivalence', association, e1: 0.05, e2: 0.05 });
const unassociated = (candidate: string, association: number): CandidateDecision =>
  decision(candidate, { reason: 'unassociated', association, e1: 0.05, e2: 0.05 });
const rpl = (candidate: string): CandidateDecision =>
  decision(candidate, { bucket: 'RPL', reason: 'entailment', source: 'dictionary', origin: null, e1: 0.9, e2: 0.9 });

/** Additions are easy, replacements are not. */
const RATER = { difficultyOf: (_: CandidateDecision, kind: 'RPL' | 'ADD') => (kind === 'ADD' ? 0.25 : 0.75) };

const namesOf = (decisions: readonly CandidateDecision[], kind: 'RPL' | 'ADD', length = 20): readonly string[] =>
  listCandidates(decisions, kind, length, RATER).candidates.map(({ name }) => name);

const DECISIONS = [
  decision('country code', { e1: 0.6, e2: 0.3 }),
  unassociated('climate', 1.5),
  add('home town', 2.4),
  decision('land', { source: 'dictionary', reason: 'not-entailed', e1: 0.6, e2: 0.55, origin: null }),
  decision('keeper', { reason: 'existing-name', e1: null, e2: null }),
  rpl('native country'),
  unassociated('continent', 2.2),
  decision('tongue', { reason: 'entailed-by-other', e1: 0.4, e2: null, similarity: null }),
  decision('donor country', { e1: 0.9, e2: 0.01 }),
  rpl('homeland'),
  add('continent  ', 1.0),
];

describe('listCandidates', () => {
  it('has accepted ones first, in the run’s order, then all others that were judged, the nearest first', () => {
    const distinct = ['climate', 'home town', 'continent', 'tongue'];
    const near = ['land', 'country code', 'donor country'];
    expect(namesOf(DECISIONS, 'RPL')).toEqual(['native country', 'homeland', ...near, ...distinct]);
    expect(namesOf(DECISIONS, 'ADD')).toEqual([
      'home town',
      'continent  ',
      'climate',
      'tongue',
      'country code',
      'donor country',
    ]);
  });

  it('is filled up to its length with what was judged, and with nothing that was not', () => {
    const judged = Array.from({ length: 30 }, (_, i) => add(`name ${i}`, 1));
    const unjudged = decision('kepeer', { reason: 'misspelled', e1: null, e2: null });
    const names = namesOf([unjudged, ...judged, rpl('homeland')], 'RPL');
    expect(names).toHaveLength(20);
    expect(names[0]).toBe('homeland');
    expect(names).not.toContain('kepeer');
  });

  it('takes in last what was not judged because it goes too little with the table', () => {
    const foreign = (candidate: string, source: CandidateDecision['source'] = 'retrieval'): CandidateDecision =>
      decision(candidate, { reason: 'unassociated', association: 0.5, source, e1: null, e2: null });
    const list = [foreign('wing span'), foreign('shoe size', 'attributes'), ...DECISIONS];
    expect(namesOf(list, 'ADD').slice(-2)).toEqual(['wing span', 'shoe size']);
    expect(namesOf(list, 'RPL')).toContain('wing span');
    expect(namesOf(list, 'RPL')).not.toContain('shoe size');
  });

  it('ends with what was not judged because readers would hardly take it', () => {
    const unlikely = decision('far off', { reason: 'reads-odd', e1: null, e2: null });
    for (const kind of ['RPL', 'ADD'] as const) expect(namesOf([unlikely, ...DECISIONS], kind).at(-1)).toBe('far off');
  });

  it('is as long as asked for', () => {
    expect(namesOf(DECISIONS, 'ADD', 2)).toEqual(['home town', 'continent  ']);
    expect(namesOf([], 'ADD')).toEqual([]);
  });

  it('keeps scores apart from what is shown', () => {
    const { candidates, scores } = listCandidates(DECISIONS, 'ADD', 1, RATER);
    expect(candidates).toEqual([
      {
        name: 'home town',
        source: 'retrieval',
        origin: { table: 'w1', title: 'Keepers of the coast', column: 'home town' },
        difficulty: 0.25,
      },
    ]);
    expect(scores).toEqual([
      {
        name: 'home town',
        bucket: 'ADD',
        reason: 'no-equivalence',
        similarity: 0.5,
        association: 2.4,
        e1: 0.05,
        e2: 0.05,
      },
    ]);
  });

  it('has accepted additions first, of these the ones close to the column', () => {
    const ofRow = { ...add('climate', 1), goes_with: 'row' as const };
    const close = { ...add('home town', 2.4), goes_with: 'column' as const };
    const { candidates } = listCandidates([unassociated('coast', 3), ofRow, close], 'ADD', 20, RATER);
    expect(candidates.map(({ name }) => name)).toEqual(['home town', 'climate', 'coast']);
  });

  it('has what an accepted addition goes with among the scores, which are asked for', () => {
    const decisions = [{ ...add('home town', 2.4), goes_with: 'column' as const }, unassociated('climate', 1.5)];
    const { candidates, scores } = listCandidates(decisions, 'ADD', 20, RATER);
    expect(scores.map(({ goesWith }) => goesWith)).toEqual(['column', undefined]);
    for (const candidate of candidates) expect(candidate).not.toHaveProperty('goesWith');
  });
});
