import { describe, expect, it } from 'vitest';
import { SHIPPED_SETS, STEPS, stepArguments } from '../../bench/datasets/shipped-sets.js';
import { readPage } from './markdown-pages.js';

describe('docs/notes/shipped-sets.md', () => {
  it.each(Object.entries(SHIPPED_SETS))('has the lines that are measured on %s', (name, set) => {
    const page = readPage('docs/notes/shipped-sets.md').split('\n');
    const steps = stepArguments(set, '', `RUNS/${name}`);
    for (const step of STEPS) expect(page).toContain(`perturbql ${steps[step].join(' ')}`);
  });
});
