import { type ComponentCount, type ComponentCounts, countKeys, EXACT_COMPONENTS } from './components.js';
import { formOf, type FormRule, LENIENT_RULES, type QueryForm, STRICT_RULES } from './query-form.js';
import type { QueryStructure } from './query-structure.js';
import type { StructureComparison } from './spider-comparison.js';
import type { SpiderNames } from './spider-names.js';
import { keywordsOf } from './spider-parts.js';

/** True if the literals of conditions and the numbers of LIMIT count. */
export type ValueRule = 'ignored' | 'compared';

const wholes = (texts: readonly (readonly [ours: string, theirs: string])[]): ComponentCount => {
  const [predicted, gold] = [0, 1].map(
    (side) => texts.filter((pair) => pair[side] !== '' && pair[side] !== '[]').length,
  );
  const matched = texts.filter(([ours, theirs]) => ours !== '' && ours !== '[]' && ours === theirs).length;
  return { gold: gold ?? 0, predicted: predicted ?? 0, matched };
};

const sorted = (keys: readonly string[]): string => JSON.stringify([...keys].sort());

function groupKey({ groupBy, having }: QueryForm): string {
  return groupBy.length === 0 ? '' : JSON.stringify([sorted(groupBy), having]);
}

function countForms(predicted: QueryForm, gold: QueryForm, keywords: ComponentCount): ComponentCounts {
  const select = (form: QueryForm): string[] => [...form.select, ...(form.distinct === 'true' ? ['distinct'] : [])];
  return {
    select: countKeys(select(predicted), select(gold)),
    'select(no AGG)': countKeys(predicted.selectUnits, gold.selectUnits),
    where: countKeys(predicted.where, gold.where),
    'where(no OP)': countKeys(predicted.whereUnits, gold.whereUnits),
    'group(no Having)': countKeys(predicted.groupBy, gold.groupBy),
    group: wholes([[groupKey(predicted), groupKey(gold)]]),
    order: wholes([[predicted.order, gold.order]]),
    'and/or': wholes([[predicted.whereGroups, gold.whereGroups]]),
    IUEN: wholes([[predicted.halves, gold.halves]]),
    keywords,
  };
}

/** The counts of a pair that is equal as a whole, in whatever way its clauses are written. */
function asMatched(counts: ComponentCounts): ComponentCounts {
  const entries = EXACT_COMPONENTS.map((component) => {
    const { gold } = counts[component];
    return [component, { gold, predicted: gold, matched: gold }] as const;
  });
  return Object.fromEntries(entries) as unknown as ComponentCounts;
}

/** The rules of the default comparison. */
function defaultRules(values: ValueRule): ReadonlySet<FormRule> {
  return new Set<FormRule>([...STRICT_RULES, ...LENIENT_RULES, ...(values === 'compared' ? ['values' as const] : [])]);
}

const LENIENT: ReadonlySet<FormRule> = new Set(LENIENT_RULES);

function sameForm(
  gold: QueryStructure,
  predicted: QueryStructure,
  rules: ReadonlySet<FormRule>,
  names: SpiderNames,
): boolean {
  return formOf(gold, rules, names).whole === formOf(predicted, rules, names).whole;
}

/** A query with its normal form under the rules of the default comparison. */
export interface FormedQuery {
  readonly structure: QueryStructure;
  readonly form: QueryForm;
}

/** The normal form of a query under the rules of the default comparison. */
export function formQuery(structure: QueryStructure, names: SpiderNames, values: ValueRule): FormedQuery {
  return { structure, form: formOf(structure, defaultRules(values), names) };
}

/** A query's form, with the words that count as its keywords. */
interface WordedForm {
  readonly form: QueryForm;
  readonly keywords: readonly string[];
}

function withKeywords({ form, structure }: FormedQuery): WordedForm {
  return { form, keywords: keywordsOf(structure.sql) };
}

/**
 * Compares the normal forms of two queries: equal where all that SQL's meaning depends on is, as far as the form shows
 * it.
 */
export function compareForms(gold: FormedQuery, predicted: FormedQuery): StructureComparison {
  return compareGeneral(withKeywords(gold), withKeywords(predicted));
}

/** As `compareForms`, of queries in one kind of form. */
export function compareGeneral(gold: WordedForm, predicted: WordedForm): StructureComparison {
  const keywords = countKeys(predicted.keywords, gold.keywords);
  const components = countForms(predicted.form, gold.form, keywords);
  const exact = predicted.form.whole === gold.form.whole;
  return { exact, components: exact ? asMatched(components) : components };
}

/**
 * Which rules make the default comparison say other than the published script, of which it is known that it does: the
 * strict ones that alone distinguish the two, or the lenient ones without which they would be; all if it takes several.
 */
export function decisiveRules(
  gold: QueryStructure,
  predicted: QueryStructure,
  names: SpiderNames,
  values: ValueRule,
): readonly FormRule[] {
  const all = defaultRules(values);
  const isEqual = sameForm(gold, predicted, all, names);
  const candidates = [...all].filter((rule) => LENIENT.has(rule) === isEqual);
  return candidates.filter((rule) => {
    const rules = isEqual ? [...all].filter((one) => one !== rule) : [...LENIENT_RULES, rule];
    return !sameForm(gold, predicted, new Set(rules), names);
  });
}
