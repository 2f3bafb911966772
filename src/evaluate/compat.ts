import { ConfigError } from '../errors.js';
import { PUBLISHED_MODES, type PublishedMode, type ResultMode } from '../sql/execution/result-mode.js';
import type { ExecutionMode } from './execution/execution-tasks.js';

/**
 * Other rules of exact match than the default ones: those of Spider's published `evaluation.py`, and the same with the
 * conditions of joins compared (`adapted`: Zhong et al. 2020, §5.3).
 */
const EXACT_COMPATS = ['spider', 'adapted'] as const;
export type ExactCompat = (typeof EXACT_COMPATS)[number];

/**
 * Published evaluators whose rules can be followed: `spider` and `adapted` decide exact match, `test-suite` and `bird`
 * how queries are executed and when results are equal.
 */
export const COMPAT_NAMES = ['spider', 'adapted', ...PUBLISHED_MODES] as const;
export type CompatName = (typeof COMPAT_NAMES)[number];

/** @throws ConfigError where two evaluators that decide one thing are named */
function onlyOne<T extends CompatName>(names: readonly T[], compat: readonly CompatName[], what: string): T | null {
  const [first = null, second] = names.filter((name) => compat.includes(name));
  if (second === undefined) return first;
  throw new ConfigError(`option --compat: ${first} and ${second} both say when two ${what}`, {
    fix: 'Name one of them, and run the command again with the other.',
  });
}

/**
 * The rules of exact match that a list of evaluators comes to; null: the default ones.
 * @throws ConfigError where two evaluators that decide it are named
 */
export function exactCompat(compat: readonly CompatName[]): ExactCompat | null {
  return onlyOne(EXACT_COMPATS, compat, 'queries match exactly');
}

/** The requested settings of execution. */
export interface ExecutionChoices {
  readonly compat: readonly CompatName[];
  readonly mode: ResultMode;
  readonly floatTolerance?: number | null;
  readonly plugValues: boolean;
  readonly dropDistinct?: boolean;
}

/** How queries are executed and results compared. */
export interface ExecutionRules {
  readonly mode: ExecutionMode;
  readonly tolerance: number | null;
  readonly plug: boolean;
  readonly dropDistinct: boolean;
}

/** The rules that a published evaluator leaves no choice about. */
const PUBLISHED_RULES: Readonly<Record<PublishedMode, ExecutionRules>> = {
  'test-suite': { mode: 'test-suite', tolerance: null, plug: true, dropDistinct: true },
  bird: { mode: 'bird', tolerance: null, plug: false, dropDistinct: false },
};

const DEFAULT_MODE: ResultMode = 'ordered';

/**
 * The rules of execution that options come to: those of a published evaluator where one is named, else as chosen.
 * `isModeChosen` is whether the mode was given, be it the default.
 * @throws ConfigError where an option contradicts the evaluator that is named, or two evaluators do
 */
export function executionRules(
  { compat, mode, floatTolerance = null, plugValues, dropDistinct = false }: ExecutionChoices,
  isModeChosen = mode !== DEFAULT_MODE,
): ExecutionRules {
  const published = onlyOne(PUBLISHED_MODES, compat, 'results are equal');
  if (published === null) return { mode, tolerance: floatTolerance, plug: plugValues, dropDistinct };
  const chosen = {
    [`--mode ${mode}`]: isModeChosen,
    '--float-tolerance': floatTolerance !== null,
    '--plug-values': plugValues,
    '--drop-distinct': dropDistinct,
  };
  const conflict = Object.entries(chosen).find(([, isGiven]) => isGiven)?.[0];
  if (conflict === undefined) return PUBLISHED_RULES[published];
  throw new ConfigError(`option ${conflict} conflicts with --compat ${published}, which decides that itself`, {
    fix: `Leave out ${conflict}, or ${published} of --compat.`,
  });
}
