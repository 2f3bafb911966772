import { z } from 'zod';
import { ConfigError } from '../../errors.js';
import { formatCount } from '../../counts.js';
import type { VictimAnswer } from '../victim.js';
import type { ExecutionLimits } from './sql-executions.js';

const figures = z.object({ total: z.number(), mean: z.number(), max: z.number() });

/** The figures on victims' executions before they answered, over the answers of a run. */
export const executionFigures = z.object({
  /** Answers whose victim might execute queries. */
  answers: z.number(),
  /** Executions of an answer. */
  count: figures,
  /** Bytes that an answer's executions gave back. */
  bytes: figures,
  /** Requests of an answer that were beyond its executions. */
  refused: figures,
});

type ExecutionFigures = z.infer<typeof executionFigures>;

/** The figures, as a field of a report's usage that is there where victims might execute queries. */
export function executionsOf(answers: readonly VictimAnswer[]): { readonly executions?: ExecutionFigures } {
  const counted = answers.flatMap(({ executions }) => executions ?? []);
  if (counted.length === 0) return {};
  const sum = (name: 'count' | 'bytes' | 'refused'): z.infer<typeof figures> => {
    const values = counted.map((one) => one[name]);
    const total = values.reduce((all, value) => all + value, 0);
    return { total, mean: total / counted.length, max: values.reduce((most, value) => Math.max(most, value), 0) };
  };
  return { executions: { answers: counted.length, count: sum('count'), bytes: sum('bytes'), refused: sum('refused') } };
}

/** The figures as rows of a page. */
export function executionFacts({
  executions,
}: {
  readonly executions?: ExecutionFigures;
}): (readonly [string, string])[] {
  if (executions === undefined) return [];
  const shown = ({ total, mean, max }: z.infer<typeof figures>): string =>
    `${formatCount(total)}; ${mean.toFixed(1)} an answer, at most ${formatCount(max)}`;
  return [
    ['Queries executed before answers', shown(executions.count)],
    ['Bytes of their results', shown(executions.bytes)],
    ['Queries refused beyond the limit', shown(executions.refused)],
  ];
}

/** The figures as a line of a terminal. */
export function executionLines({ executions }: { readonly executions?: ExecutionFigures }): readonly string[] {
  if (executions === undefined) return [];
  const { count, bytes, refused } = executions;
  const beyond = refused.total === 0 ? '' : `; ${formatCount(refused.total)} refused beyond the limit`;
  return [
    `executed before an answer: ${count.mean.toFixed(1)} queries (at most ${count.max}), ${formatCount(Math.round(bytes.mean))} bytes (at most ${formatCount(bytes.max)})${beyond}`,
  ];
}

/** Describes the maximum of executions in a run, as a line for people. */
export function describeExecutions(
  { executions }: { readonly executions?: ExecutionLimits },
  questions: number,
): readonly string[] {
  if (executions === undefined) return [];
  const { count, bytes } = executions;
  return [
    `at most ${formatCount(count * questions)} queries before answers: ${count} a question, each of at most ${formatCount(bytes)} bytes`,
  ];
}

/** @throws ConfigError where a victim may execute queries and there is nothing to execute them on */
export function requireDatabases(
  { executions }: { readonly executions?: ExecutionLimits },
  databases: string | null,
): void {
  if (executions === undefined || databases !== null) return;
  throw new ConfigError('no database is there that the model could query', {
    fix: 'Give --databases with SQLite files, or leave out --executions.',
  });
}
