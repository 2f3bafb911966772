import type { SetCount } from '../linking/schema-linking.js';
import type { SpiderSql } from '../../sql/spider-sql.js';
import { nodesOf, type TreeNode } from '../../sql/ast-walk.js';
import { type ComponentCounts, countKeys, ofComponents } from './components.js';
import { clauseRules, defaultRules, type FormRules, type ValueRule } from './form-rules.js';
import { emptyForm, formOf, type QueryForm } from './query-form.js';
import type { ReadQuery } from './query-reading.js';
import type { StructureComparison } from './spider-comparison.js';
import type { SpiderNames } from './spider-names.js';
import { keywordsOf } from './spider-parts.js';

/** A query's form, with the words that count as its keywords. */
export interface WordedForm {
  readonly form: QueryForm;
  readonly keywords: readonly string[];
}

/** A query that Spider's structure has a form for, in its normal form under the rules of the default comparison. */
export interface FormedQuery extends WordedForm {
  readonly structure: SpiderSql;
  /** The whole of its normal form under other rules. */
  readonly wholeUnder: (rules: FormRules) => string;
}

/** The stand-ins for a query that can't be read: among those of Spider's structure, and among any. */
export const NO_QUERIES: Readonly<Record<'structured' | 'any', WordedForm>> = {
  structured: { form: emptyForm(true), keywords: [] },
  any: { form: emptyForm(false), keywords: [] },
};

/** True if a query may have what the clauses of Spider's structure lose. */
const MAY_LOSE = /\bunion\s+all\b|\bcollate\b|\bnulls\b|\border\s+by\b.*,/is;

/** The normal form of a query under the rules of the default comparison; null where Spider's structure has none. */
export function formQuery(
  { bound, numbers, structure }: ReadQuery,
  names: SpiderNames,
  values: ValueRule,
): FormedQuery | null {
  if (structure === null) return null;
  const under = (rules: FormRules): QueryForm => formOf(bound, { rules, numbers, names, isFlat: true });
  const rules = defaultRules(values);
  const clauses = under(clauseRules(rules));
  const form = MAY_LOSE.test(bound.sql) ? { ...clauses, whole: under(rules).whole } : clauses;
  return { structure, form, keywords: keywordsOf(structure), wholeUnder: (own) => under(own).whole };
}

interface AnyNode extends TreeNode {
  readonly operator?: unknown;
  readonly negated?: unknown;
  readonly direction?: unknown;
  readonly where?: unknown;
  readonly groupBy?: readonly unknown[];
  readonly having?: unknown;
}

/** The keywords that a node stands for by itself. */
function wordsOf(node: AnyNode): readonly string[] {
  const { kind, operator, negated, direction, where, groupBy = [], having } = node;
  const not = negated === true || operator === 'NOT' ? ['not'] : [];
  switch (kind) {
    case 'core':
      return [where == null ? '' : 'where', groupBy.length === 0 ? '' : 'group', having == null ? '' : 'having'];
    case 'ordering':
      return ['order', direction === 'DESC' ? 'desc' : 'asc'];
    case 'term':
      return typeof operator === 'string' ? [operator.toLowerCase().replace(' all', '')] : [];
    case 'binary':
      return operator === 'OR' ? ['or'] : [];
    case 'in':
    case 'like':
      return [kind, ...not];
    case 'limit':
      return [kind];
    default:
      return not;
  }
}

/** The normal form of a query of any shape; null where it is nested too deeply. */
export function formGeneral({ bound, numbers }: ReadQuery, names: SpiderNames, values: ValueRule): WordedForm | null {
  try {
    const words = new Set(nodesOf(bound.select).flatMap(wordsOf).filter(Boolean));
    const form = formOf(bound, { rules: defaultRules(values), numbers, names, isFlat: false });
    return { form, keywords: [...words].sort() };
  } catch (error) {
    if (error instanceof RangeError) return null; // no stack left
    throw error;
  }
}

const wholes = (predicted: string, gold: string): SetCount => {
  const isThere = (text: string): boolean => text !== '' && text !== '[]';
  return {
    gold: Number(isThere(gold)),
    predicted: Number(isThere(predicted)),
    matched: Number(isThere(gold) && predicted === gold),
  };
};

function groupKey({ groupBy, having }: QueryForm): string {
  return groupBy.length === 0 ? '' : JSON.stringify([[...groupBy].sort(), having]);
}

function countForms(predicted: QueryForm, gold: QueryForm, keywords: SetCount): ComponentCounts {
  const select = (form: QueryForm): string[] => [...form.select, ...(form.distinct === 'true' ? ['distinct'] : [])];
  return {
    select: countKeys(select(predicted), select(gold)),
    'select(no AGG)': countKeys(predicted.selectUnits, gold.selectUnits),
    where: countKeys(predicted.where, gold.where),
    'where(no OP)': countKeys(predicted.whereUnits, gold.whereUnits),
    'group(no Having)': countKeys(predicted.groupBy, gold.groupBy),
    group: wholes(groupKey(predicted), groupKey(gold)),
    order: wholes(predicted.order, gold.order),
    'and/or': wholes(predicted.whereGroups, gold.whereGroups),
    IUEN: wholes(JSON.stringify(predicted.halves), JSON.stringify(gold.halves)),
    keywords,
  };
}

/** The counts of a pair that is equal as a whole, in whatever way its clauses are written. */
function asMatched(counts: ComponentCounts): ComponentCounts {
  return ofComponents((component) => {
    const { gold } = counts[component];
    return { gold, predicted: gold, matched: gold };
  });
}

/**
 * Compares the normal forms of two queries: equal where all that SQL's meaning depends on is, as far as the form shows
 * it.
 */
export function compareForms(gold: WordedForm, predicted: WordedForm): StructureComparison {
  const keywords = countKeys(predicted.keywords, gold.keywords);
  const components = countForms(predicted.form, gold.form, keywords);
  const exact = predicted.form.whole === gold.form.whole;
  return { exact, components: exact ? asMatched(components) : components };
}
