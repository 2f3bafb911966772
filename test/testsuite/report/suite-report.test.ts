import { describe, expect, it } from 'vitest';
import { joinCurves } from '../../../src/testsuite/report/suite-report.js';
import { formatBytes, formatLeft } from '../../../src/report/figures.js';

describe('joinCurves', () => {
  it('adds curves up, each as it is behind its last point', () => {
    const long = [
      { tried: 0, left: 40 },
      { tried: 2, left: 10 },
      { tried: 9, left: 4 },
    ];
    const short = [
      { tried: 0, left: 10 },
      { tried: 1, left: 0 },
    ];
    expect(joinCurves([long, short], 100)).toEqual([
      { tried: 0, share: 0.5 },
      { tried: 1, share: 0.4 },
      { tried: 2, share: 0.1 },
      { tried: 9, share: 0.04 },
    ]);
  });

  it('leaves out points that say nothing new, but not the last', () => {
    const curve = [0, 1, 2, 3].map((tried) => ({ tried, left: tried === 0 ? 2 : 1 }));
    expect(joinCurves([curve], 4)).toEqual([
      { tried: 0, share: 0.5 },
      { tried: 1, share: 0.25 },
      { tried: 3, share: 0.25 },
    ]);
  });

  it('has no points where there are no neighbors', () => {
    expect(joinCurves([[{ tried: 0, left: 0 }]], 0)).toEqual([]);
  });
});

describe('figures', () => {
  it('have as many digits as they are small', () => {
    expect([0, 0.0004, 0.0053, 0.05, 0.123, 1].map(formatLeft)).toEqual([
      '0%',
      '0.04%',
      '0.53%',
      '5.0%',
      '12%',
      '100%',
    ]);
    expect([0, 10_000, 999_999, 3_400_000, 120e6, 3.27e9].map(formatBytes)).toEqual([
      '0 kB',
      '10 kB',
      '1000 kB',
      '3.4 MB',
      '120 MB',
      '3,270 MB',
    ]);
  });
});
