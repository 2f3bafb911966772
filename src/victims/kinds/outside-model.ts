import type { z } from 'zod';
import { ConfigError } from '../../errors.js';
import { loadPromptTemplate, type PromptTemplate, SEGMENTS_TEMPLATE } from '../../formats/exports/prompt-template.js';
import { refuseUseless } from '../../options/given-options.js';
import { flag, inGroup, positive, seconds, text } from '../../options/option-field.js';
import { EXECUTION_BYTES, type ExecutionLimits } from '../executions/sql-executions.js';
import type { Victim } from '../victim.js';
import type { MadeVictim, SharedGiven } from '../victim-kind.js';
import { ANNOTATED_OPTIONS, type AnnotatedChoice, annotatedOf } from './annotated-tables.js';

/** Options of models outside this process. */
export const OUTSIDE_OPTIONS = {
  ...inGroup('Model', {
    promptTemplate: text(
      'file',
      'prompt: a text with {question}, {schema}, {dialect}, {segments}; --- parts system and user',
    ).exactOptional(),
  }),
  ...inGroup('Advanced', {
    segments: flag('victims command and endpoint: questions come with their sub-sentences, {text, start, end} each'),
    executions: positive(
      'n',
      'victims command and endpoint: queries that the model may execute on the database of a question before it answers',
    ).exactOptional(),
    executionBytes: positive(
      'n',
      `bytes of the result of such a query; what is beyond is cut (default: ${EXECUTION_BYTES})`,
    ).exactOptional(),
  }),
  ...inGroup('Endpoint', {
    concurrency: positive('n', 'questions side by side (default: 4 for endpoint, 1 for command)').exactOptional(),
    answerTimeout: seconds('longest time of one answer of a command or call of an endpoint').default(120),
  }),
  ...ANNOTATED_OPTIONS,
};

type OutsideGiven = z.infer<z.ZodObject<typeof OUTSIDE_OPTIONS>> & SharedGiven;

/** The extras that a model outside gets with its questions. */
export interface QuestionExtras extends AnnotatedChoice {
  /** True if questions come with their sub-sentences. */
  readonly segments?: boolean;
  /** How far it may query their databases before it answers; absent: not at all. */
  readonly executions?: ExecutionLimits;
}

/** The prompt in a file, or one with the sub-sentences where these are wanted, as an option of settings. */
export function givenTemplate(file: string | undefined, segments: boolean): { readonly template?: PromptTemplate } {
  if (file !== undefined) return { template: loadPromptTemplate(file, ['segments']) };
  return segments ? { template: SEGMENTS_TEMPLATE } : {};
}

/** Returns the extras that the options give it with its questions. @throws ConfigError where one is of no use */
export function extrasOf(given: OutsideGiven, flags: ReadonlySet<string>): QuestionExtras {
  const { segments, executions: count, executionBytes: bytes = EXECUTION_BYTES, timeout } = given;
  const extras = { ...(segments && { segments }), ...annotatedOf(given) };
  if (count === undefined) {
    refuseUseless(['executionBytes'], flags, 'a model that executes nothing', '--executions');
    return extras;
  }
  if (given.annotatedTables !== undefined) {
    throw new ConfigError('--annotated-tables and --executions exclude each other', {
      fix: 'Leave one out: the databases have the names of their schema, not those that the model is shown.',
    });
  }
  return { ...extras, executions: { count, bytes, timeoutMs: timeout * 1000 } };
}

/** A victim that gets its extras; `overHttp`: it executes queries at an address, not by calls of tools. */
export async function withExtras(
  asked: Victim,
  { segments = false, executions }: QuestionExtras,
  { description, overHttp }: { readonly description: string; readonly overHttp: boolean },
): Promise<MadeVictim> {
  const victim = segments ? await withSegments(asked) : asked;
  if (executions === undefined) return { victim, description };
  const { executingVictim } = await import('../executions/executing-victim.js');
  return { victim: executingVictim(victim, executions, { overHttp }), description, executions };
}

async function withSegments(victim: Victim): Promise<Victim> {
  const [{ QuestionSplitter }, { segmentingVictim }] = await Promise.all([
    import('../../compositional/split/question-splitter.js'),
    import('../segmenting-victim.js'),
  ]);
  return segmentingVictim(victim, await QuestionSplitter.open());
}
