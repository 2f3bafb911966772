import { join } from 'node:path';
import { z } from 'zod';
import type { AttackOutcome } from '../attack/attack.js';
import { type FailBelowRule, parseFailBelow, thresholdFailures } from '../attack/report/fail-below.js';
import { renderJUnit } from '../attack/report/junit.js';
import { renderScoreTable } from '../attack/score-table.js';
import { writeDurably } from '../run/durable-file.js';
import { checkWrittenFile } from '../run/written-file.js';
import type { CommandResult, RawOptions } from './options.js';
import { parseOptions } from './run-context.js';

const schema = z.object({ failBelow: z.array(z.string()).default([]), junit: z.string().optional() });

/** What is checked of an attack in the end. */
export interface AttackChecks {
  readonly rules: readonly FailBelowRule[];
  /** File for JUnit XML. */
  readonly junit: string | null;
}

/** @throws ConfigError when a rule can't be read */
export function parseChecks(raw: RawOptions): AttackChecks {
  const { failBelow, junit } = parseOptions(schema, raw);
  if (junit !== undefined) checkWrittenFile('junit', junit);
  return { rules: parseFailBelow(failBelow), junit: junit ?? null };
}

const PRODUCTS = ['report.html', 'report.json', 'answers.jsonl'];

/** Prints what an attack found, and tells whether it is complete and keeps the rules. */
export function showAttack(
  { report, open, fresh }: AttackOutcome,
  out: string,
  { rules, junit }: AttackChecks,
): CommandResult {
  if (junit !== null) writeDurably(junit, renderJUnit(report, rules));
  const failures = thresholdFailures(report, rules);
  const lines = [
    ...(fresh ? [] : ['already complete:']),
    ...renderScoreTable(report),
    ...(open === 0 ? [] : [`failed: ${open} questions are open; the same command asks them again`]),
    ...failures.map(({ message }) => `failed: ${message}`),
    ...PRODUCTS.map((name) => `  ${join(out, name)}`),
    ...(junit === null ? [] : [`  ${junit}`]),
  ];
  for (const line of lines) console.log(line);
  return failures.length === 0 && open === 0 ? undefined : 'failed-check';
}
