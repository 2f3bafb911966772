/** How breaks agree with people's. */
export interface BreakScores {
  readonly questions: number;
  readonly people: number;
  readonly found: number;
  readonly both: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** Share of questions whose breaks are all people's and no others. */
  readonly exact: number;
}

/** Compares breaks of questions, each as places in the text, with people's of the same questions. */
export function scoreBreaks(
  found: readonly (readonly number[])[],
  people: readonly (readonly number[])[],
): BreakScores {
  let [ours, theirs, both, exact] = [0, 0, 0, 0];
  found.forEach((breaks, i) => {
    const wanted = new Set(people[i]);
    const shared = breaks.filter((start) => wanted.has(start)).length;
    ours += breaks.length;
    theirs += wanted.size;
    both += shared;
    if (shared === wanted.size && shared === breaks.length) exact++;
  });
  const [precision, recall] = [both / Math.max(1, ours), both / Math.max(1, theirs)];
  const f1 = both === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  const { length: questions } = found;
  return { questions, people: theirs, found: ours, both, precision, recall, f1, exact: exact / Math.max(1, questions) };
}
