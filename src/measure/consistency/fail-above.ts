import { COMPOSITION_KINDS } from '../../formats/artifacts/compositions.js';
import { ConfigError } from '../../errors.js';
import { exactPercent } from '../../report/figures.js';
import { COMPOSED, countedRelation } from '../../variants/relations/counted-relation.js';
import { EXPECTED_ANSWERS } from '../../variants/relations/relation.js';
import { RELATION_IDS } from '../../variants/relations/relations.js';
import { type ConsistencyReport, figuresExpecting } from './consistency-report.js';
import { MutantSet } from '../../variants/mutate/mutant-set.js';

/** A rate above which a run counts as failed. */
export interface FailAboveRule {
  /** A relation, what answer is expected (`kept`: all mutants whose answer must stay), or `all`. */
  readonly relation: string;
  /** Highest rate that passes, 0 to 100. */
  readonly percent: number;
}

const RULE = /^([^=\s]+)=(\d+(?:\.\d+)?)%?$/;
const FIX = 'Write for instance --fail-above kept=5 or --fail-above SS=20, in percent.';

/** Reads the rules of `--fail-above`: `kept=5`, `SS=20`. @throws ConfigError where one can't be read */
export function parseFailAbove(texts: readonly string[]): readonly FailAboveRule[] {
  return texts.map((text) => {
    const [, relation, percent] = RULE.exec(text.trim()) ?? [];
    if (relation === undefined || Number(percent) > 100) {
      throw new ConfigError(`--fail-above ${text} is not of the form relation=percent`, { fix: FIX });
    }
    return { relation, percent: Number(percent) };
  });
}

/**
 * Refuses rules about relations that can't be in the report, before anything is asked. The run of the mutants is read only
 * where a name is none of ours.
 * @throws ConfigError naming the known ones; RunFolderError or InputFormatError where the run can't be read
 */
export function requireKnownRelations(
  rules: readonly FailAboveRule[],
  mutants: string | null,
  compositions: string | null = null,
): void {
  const known = new Set<string>([
    ...RELATION_IDS,
    COMPOSED,
    ...(compositions === null ? [] : COMPOSITION_KINDS),
    ...EXPECTED_ANSWERS,
    'all',
  ]);
  const isKnown = ({ relation }: FailAboveRule): boolean => known.has(relation);
  if (rules.every(isKnown)) return;
  for (const record of mutants === null ? [] : new MutantSet(mutants).records) known.add(countedRelation(record));
  const unknown = rules.find((rule) => !isKnown(rule));
  if (unknown === undefined) return;
  const fix = `Known: ${[...known].join(', ')}.`;
  throw new ConfigError(`--fail-above: there is no relation "${unknown.relation}"`, { fix });
}

/** The share of compositions by a rule that are wrong though both parents are right: by execution, else by exact match. */
function composedRate(compositions: ConsistencyReport['compositions'], rule: string): number | null {
  const kind = COMPOSITION_KINDS.find((one) => one === rule);
  const { exact, execution } = (kind && compositions?.kinds[kind]) ?? { exact: null, execution: null };
  return (execution ?? exact)?.rate?.mean ?? null;
}

/** The rules that a run does not keep, in words; a relation that was not measured keeps none, so that no check passes unseen. */
export function ruleFailures(
  { all, relations, compositions }: ConsistencyReport,
  rules: readonly FailAboveRule[],
): readonly string[] {
  return rules.flatMap(({ relation, percent }) => {
    const expected = EXPECTED_ANSWERS.find((answer) => answer === relation);
    const together = expected === undefined ? all : figuresExpecting(all, expected);
    const figures = expected === undefined && relation !== 'all' ? relations[relation] : together;
    const rate = figures?.rate ?? composedRate(compositions, relation);
    if (rate === null) return [`the rate of ${relation} was not measured, at most ${percent}% are asked for`];
    const found = exactPercent(rate);
    return found <= percent ? [] : [`the rate of ${relation} is ${found.toFixed(2)}%, above ${percent}%`];
  });
}
