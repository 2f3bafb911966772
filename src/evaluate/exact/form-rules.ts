/** Rules against differences that the published script lets pass and the default comparison does not. */
const STRICT_RULES = [
  /** DISTINCT, of a query and in an aggregate. */
  'distinct',
  /** The conditions of joins. */
  'joins',
  /** Columns are one where the query's own joins set them equal; by the script, where a foreign key links them. */
  'foreign-keys',
  /** Which conditions AND holds together, `a OR b AND c` against `a AND b OR c`. */
  'connectors',
  /** A column on the right of a comparison. */
  'compared-columns',
  /** The direction of each term of ORDER BY, and NULLS. */
  'order-terms',
  /** UNION ALL against UNION, and their sequence. */
  'union-all',
  /** Which source a column or `T.*` is of, where a table occurs several times or a subquery sees those around it. */
  'sources',
  /** COLLATE. */
  'collations',
] as const;

/** Rules for differences that the published script counts and the default comparison does not. */
const LENIENT_RULES = [
  /** The sequence of columns, conditions and tables in subqueries, of HAVING's conditions and of GROUP BY. */
  'sequence',
  /** `x BETWEEN a AND b` against `x >= a AND x <= b`. */
  'ranges',
  /** The halves of UNION or INTERSECT in another sequence. */
  'halves',
  /**
   * `a + b` against `b + a`, `a = b` against `b = a`, `a < b` against `b > a`; of joins, which equalities say the same.
   */
  'operands',
] as const;
export type FormRule = (typeof STRICT_RULES)[number] | (typeof LENIENT_RULES)[number] | 'values';
export type FormRules = ReadonlySet<FormRule>;

/** True if the literals of conditions and the numbers of LIMIT count. */
export type ValueRule = 'ignored' | 'compared';

/** The rules of the default comparison. */
export function defaultRules(values: ValueRule): FormRules {
  return new Set<FormRule>([...STRICT_RULES, ...LENIENT_RULES, ...(values === 'compared' ? ['values' as const] : [])]);
}

/** Rules for what Spider's structure has no place for: they decide about the whole of a query, not about its clauses. */
const WHOLE_RULES: ReadonlySet<FormRule> = new Set(['order-terms', 'union-all', 'collations']);

/** The rules by which clauses of Spider's structure are compared. */
export function clauseRules(rules: FormRules): FormRules {
  return new Set([...rules].filter((rule) => !WHOLE_RULES.has(rule)));
}

const LENIENT: FormRules = new Set(LENIENT_RULES);

/**
 * Which rules make the default comparison say other than the published script, of which it is known that it does: the
 * strict ones that alone distinguish the two, or the lenient ones without which they would be; all if it takes several.
 */
export function decisiveRules(isSame: (rules: FormRules) => boolean, values: ValueRule): readonly FormRule[] {
  const all = defaultRules(values);
  const isEqual = isSame(all);
  const candidates = [...all].filter((rule) => LENIENT.has(rule) === isEqual);
  return candidates.filter((rule) => {
    const rules = isEqual ? [...all].filter((one) => one !== rule) : [...LENIENT_RULES, rule];
    return !isSame(new Set(rules));
  });
}
