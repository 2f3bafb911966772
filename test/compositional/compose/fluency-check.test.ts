import { expect, it } from 'vitest';
import { compose } from '../../../src/compositional/compose/composition.js';
import { FluencyCheck } from '../../../src/compositional/compose/composition-checks.js';
import { gardenElement } from './garden.js';

const child = compose(
  { kind: 'SUB', connective: null, base: gardenElement('own:0'), element: gardenElement('own:1') },
  'child',
);

it.each([
  [0.3, true],
  [0.24, true],
  [0.2, false],
])('compares a composed question with the less fluent of its parents: %s', (own, holds) => {
  const scores = new Map([
    [child.aligned.question, own],
    [child.base.source.question, 0.4],
    [child.element.source.question, 0.3],
  ]);
  expect(new FluencyCheck({ score: (text) => scores.get(text) ?? 0 }).holds(child)).toBe(holds);
});
