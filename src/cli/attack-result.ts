import type { AttackOutcome } from '../measure/attack/attack.js';
import type { AttackReport } from '../measure/attack/attack-report.js';
import { type FailBelowRule, parseFailBelow, thresholdFailures } from '../measure/attack/report/fail-below.js';
import { attackLines } from '../measure/attack/report/attack-document.js';
import { renderJUnit } from '../measure/attack/report/junit.js';
import { writeDurably } from '../run/durable-file.js';
import { checkWrittenFile } from '../run/output-place.js';
import type { CommandOutput } from './command.js';
import { measuredOutput } from './measured-output.js';

/** The final checks of an attack. */
export interface AttackChecks {
  readonly rules: readonly FailBelowRule[];
  /** File for JUnit XML. */
  readonly junit: string | null;
}

/** @throws ConfigError when a rule can't be read */
export function checksOf(given: { readonly failBelow: readonly string[]; readonly junit?: string }): AttackChecks {
  const { failBelow, junit = null } = given;
  if (junit !== null) checkWrittenFile('junit', junit);
  return { rules: parseFailBelow(failBelow), junit };
}

const PRODUCTS = ['report.html', 'report.json', 'answers.jsonl'];

function productsOf({ compositions, mutants }: AttackReport): readonly string[] {
  return [
    ...PRODUCTS,
    ...(compositions === undefined ? [] : ['recompositions.jsonl']),
    ...(mutants === undefined ? [] : ['mutant-cases.jsonl']),
  ];
}

/** Returns the findings of an attack, and whether it is complete and keeps the rules. */
export function attackOutput(outcome: AttackOutcome, out: string, { rules, junit }: AttackChecks): CommandOutput {
  const { report } = outcome;
  if (junit !== null) writeDurably(junit, renderJUnit(report, rules));
  return measuredOutput(outcome, out, {
    lines: attackLines(report),
    failures: thresholdFailures(report, rules).map(({ message }) => message),
    products: productsOf(report),
    extra: junit,
  });
}
