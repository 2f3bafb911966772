import { describe, expect, test } from 'vitest';
import type { IdentifierPart } from '../../../src/schema/identifiers/identifier-parts.js';
import { chosenPart, type PartBelief, tableReadings } from '../../../src/schema/identifiers/reading.js';
import type { Unit } from '../../../src/schema/identifiers/reading-path.js';

const part: IdentifierPart = { text: 'obs', kind: 'letters', isJoined: false };
const unitOf = (table: number): Unit => ({ table, column: 0, identifier: 'obs', parts: [part], type: null });

/** What is believed of "obs" at a place, the reading of the best path first. */
function beliefOf(posteriors: Readonly<Record<string, number>>): PartBelief {
  const options = Object.entries(posteriors).map(
    ([reading, posterior]) => [reading, { reading, posterior, basis: 'list' }] as const,
  );
  return { part, options: new Map(options), best: options[0]![0], pieces: { letters: ['obs'], posterior: 1 } };
}

describe('one reading of the same letters in a table', () => {
  const sure = beliefOf({ observation: 0.9, observer: 0.1 });
  const unsure = beliefOf({ observer: 0.6, observation: 0.4 });
  const otherwise = beliefOf({ observer: 0.9, observation: 0.1 });

  test('a place that is nearly even follows the others', () => {
    const ofTable = tableReadings([
      [unitOf(0), [sure]],
      [unitOf(0), [unsure]],
    ]);
    expect(chosenPart(0, unsure, ofTable).reading).toBe('observation');
  });
  test('a place where the words around say otherwise does not', () => {
    const ofTable = tableReadings([
      [unitOf(0), [sure]],
      [unitOf(0), [sure]],
      [unitOf(0), [otherwise]],
    ]);
    expect(chosenPart(0, otherwise, ofTable).reading).toBe('observer');
  });
  test('another table says nothing', () => {
    const ofTable = tableReadings([
      [unitOf(1), [sure]],
      [unitOf(0), [unsure]],
    ]);
    expect(chosenPart(0, unsure, ofTable).reading).toBe('observer');
  });
});
