/** The comparisons of two values, each in the spelling that SQL's standard has or programmers expect. */
export const PLAIN_COMPARISONS = ['=', '!=', '<', '<=', '>', '>='] as const;
export type PlainComparison = (typeof PLAIN_COMPARISONS)[number];

const SPELLINGS: Readonly<Record<string, PlainComparison>> = { '==': '=', '<>': '!=' };
const MIRRORED: Readonly<Record<string, PlainComparison>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };
const COMPARISONS: ReadonlySet<string> = new Set([...PLAIN_COMPARISONS, ...Object.keys(SPELLINGS)]);

/** An operator in one spelling: `=` for `==`, `!=` for `<>`. */
export function plainOperator(operator: string): string {
  return SPELLINGS[operator] ?? operator;
}

/** Checks whether an operator compares two values and is NULL where one of them is; IS is not such a one. */
export function isComparison(operator: string): boolean {
  return COMPARISONS.has(operator);
}

/** The comparison that an operator is, in one spelling; null where it is none. */
export function comparisonOf(operator: string): PlainComparison | null {
  const plain = plainOperator(operator);
  return PLAIN_COMPARISONS.find((comparison) => comparison === plain) ?? null;
}

/** The operator that says the same with the sides exchanged: `>` for `<`; one that does not mind stays. */
export function mirroredOperator(operator: string): string {
  return MIRRORED[operator] ?? operator;
}
