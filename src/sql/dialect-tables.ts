/** Binding strength of operators, loosest first: https://www.sqlite.org/lang_expr.html, with room for other dialects. */
export const PRECEDENCE = {
  or: 10,
  xor: 15,
  and: 20,
  not: 30,
  equality: 40,
  comparison: 50,
  other: 60,
  bits: 70,
  sum: 80,
  product: 90,
  concat: 100,
  power: 110,
} as const;

/** Words of a table, split at white space. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** Operators with one strength each, from a table of strengths to operators. */
export function operatorTable(
  table: Readonly<Partial<Record<keyof typeof PRECEDENCE, string>>>,
): ReadonlyMap<string, number> {
  return new Map(
    Object.entries(table).flatMap(([level, operators]) =>
      words(operators).map((operator) => [operator, PRECEDENCE[level as keyof typeof PRECEDENCE]] as const),
    ),
  );
}
