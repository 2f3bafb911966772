import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TopPlaces } from '../../src/retriever/top-places.js';

it('keeps the places of the highest scores, of equal ones as many as fit', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20 })), fc.integer({ min: 1, max: 12 }), (scores, capacity) => {
      const top = new TopPlaces(capacity);
      for (const [place, score] of scores.entries()) top.offer(place, score);
      const kept = [...top.places()];
      expect(new Set(kept).size).toBe(Math.min(capacity, scores.length));
      const best = [...scores].sort((a, b) => b - a).slice(0, capacity);
      expect(kept.map((place) => scores[place]!).sort((a, b) => b - a)).toEqual(best);
    }),
  );
});
