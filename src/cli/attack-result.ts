import { join } from 'node:path';
import type { AttackOutcome } from '../attack/attack.js';
import type { AttackReport } from '../attack/attack-report.js';
import { type FailBelowRule, parseFailBelow, thresholdFailures } from '../attack/report/fail-below.js';
import { attackLines } from '../attack/report/attack-lines.js';
import { renderJUnit } from '../attack/report/junit.js';

import { writeDurably } from '../run/durable-file.js';
import { checkWrittenFile } from '../run/written-file.js';
import type { CommandOutput } from './command.js';

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
export function attackOutput(
  { report, open, fresh }: AttackOutcome,
  out: string,
  { rules, junit }: AttackChecks,
): CommandOutput {
  if (junit !== null) writeDurably(junit, renderJUnit(report, rules));
  const failures = thresholdFailures(report, rules);
  const lines = [
    ...(fresh ? [] : ['already complete:']),
    ...attackLines(report),
    ...(open === 0 ? [] : [`failed: ${open} questions are open; the same command asks them again`]),
    ...failures.map(({ message }) => `failed: ${message}`),
    ...productsOf(report).map((name) => `  ${join(out, name)}`),
    ...(junit === null ? [] : [`  ${junit}`]),
  ];
  return { lines, failedCheck: failures.length > 0 || open > 0 };
}
