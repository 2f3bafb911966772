function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}

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
