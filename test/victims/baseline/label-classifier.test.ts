import { describe, expect, it } from 'vitest';
import { LabelClassifier } from '../../../src/victims/baseline/label-classifier.js';

const samples = [
  { features: ['by', 'sorted'], labels: [0] },
  { features: ['by', 'each'], labels: [1] },
  { features: ['average', 'each'], labels: [1, 2] },
  { features: ['average'], labels: [2] },
];

describe('LabelClassifier', () => {
  it('learns which labels go with which features', () => {
    const classifier = new LabelClassifier(samples, 3);
    for (const { features, labels } of samples) {
      const logits = classifier.logits(features);
      expect([0, 1, 2].filter((label) => logits[label]! > 0)).toEqual(labels);
    }
  });

  it('says nothing of unknown features, and learns the same twice', () => {
    const classifier = new LabelClassifier(samples, 3);
    expect([...classifier.logits(['never seen'])]).toEqual([0, 0, 0]);
    expect(classifier.logits(['by'])).toEqual(new LabelClassifier(samples, 3).logits(['by']));
  });
});
