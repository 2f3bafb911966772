import { editDistance } from '../schema/edit-distance.js';

/** The known word that a mistyped one was probably meant to be; null where none is near (Levenshtein over 40 % of its length). */
export function nearestWord(word: string, known: readonly string[]): string | null {
  const ranked = known.map((candidate) => ({
    candidate,
    distance: editDistance(word.toLowerCase(), candidate.toLowerCase()),
  }));
  const best = ranked.reduce<(typeof ranked)[number] | null>(
    (a, b) => (a === null || b.distance < a.distance ? b : a),
    null,
  );
  return best !== null && best.distance <= Math.max(2, word.length * 0.4) ? best.candidate : null;
}
