import { describe, expect, it } from 'vitest';
import { ExampleIndex } from '../../../src/victims/baseline/baseline-parser.js';

const index = new ExampleIndex([
  ['how', 'many', 'riders'],
  ['how', 'many', 'bikes'],
  ['oldest', 'rider'],
  ['how', 'many', 'riders', 'today'],
]);
const all = () => true;

describe('ExampleIndex', () => {
  it('finds the likest first', () => {
    const near = index.nearest(['how', 'many', 'riders'], 2, all);
    expect(near.map(({ position }) => position)).toEqual([0, 3]);
    expect(near[0]?.similarity).toBeCloseTo(1, 9);
  });

  it('is not swayed by what is left out', () => {
    const near = index.nearest(['oldest', 'rider', 'bikes'], 5, (position) => position !== 2);
    expect(near.map(({ position }) => position)).toEqual([1]);
  });

  it('gives all in order where nothing is like', () => {
    expect(index.nearest(['weather'], 3, all).map(({ position }) => position)).toEqual([0, 1, 2]);
    expect(new ExampleIndex([]).nearest(['weather'], 3, all)).toEqual([]);
  });
});
