import { z } from 'zod';
import { EXECUTION_BYTES } from '../victims/executions/sql-executions.js';
import { type QuestionExtras, type VictimChoice, type VictimKind, VICTIM_KINDS } from '../victims/victim-choice.js';
import type { EndpointVictimSettings } from '../victims/endpoint-victim.js';
import { ConfigError } from '../errors.js';
import { loadPromptTemplate, type PromptTemplate, SEGMENTS_TEMPLATE } from '../formats/exports/prompt-template.js';
import { ENDPOINT_FLAGS, endpointOptions, endpointSettings, needed, refuseUseless } from './endpoint-options.js';
import { choice, flag, positive, seconds, text } from './option-field.js';
import type { CACHE_OPTION, TIMEOUT_OPTION } from './shared-options.js';

/** Which model is asked, and how. */
export const VICTIM_OPTIONS = {
  victim: choice(VICTIM_KINDS, 'kind', 'the model under attack').default('baseline'),
  train: text(
    'file',
    'victim baseline: examples to answer after (default: those attacked, each left out for its own question)',
  ).exactOptional(),
  command: text(
    'line',
    'victim command: program and arguments; it reads and writes JSON lines; no shell looks at it',
  ).exactOptional(),
  ...endpointOptions('victim endpoint'),
  promptTemplate: text(
    'file',
    'prompt: a text with {question}, {schema}, {dialect}, {segments}; --- parts system and user',
  ).exactOptional(),
  segments: flag('victims command and endpoint: questions come with their sub-sentences, {text, start, end} each'),
  executions: positive(
    'n',
    'victims command and endpoint: queries that the model may execute on the database of a question before it answers',
  ).exactOptional(),
  executionBytes: positive(
    'n',
    `bytes of the result of such a query; what is beyond is cut (default: ${EXECUTION_BYTES})`,
  ).exactOptional(),
  concurrency: positive('n', 'questions side by side (default: 4 for endpoint, 1 for command)').exactOptional(),
  answerTimeout: seconds('longest time of one answer of a command or call of an endpoint').default(120),
  predictions: text('file', 'victim file: JSON lines of {id, sql}').exactOptional(),
};

/** The options of a victim, where answers are kept, and how long a query may take. */
type VictimOptions = z.infer<z.ZodObject<typeof VICTIM_OPTIONS & typeof CACHE_OPTION & typeof TIMEOUT_OPTION>>;

/** Which victims an option is for; those with a default are not asked. */
const FOR: ReadonlyMap<string, readonly VictimKind[]> = new Map<string, readonly VictimKind[]>([
  ['train', ['baseline']],
  ['command', ['command']],
  ['predictions', ['file']],
  ['promptTemplate', ['command', 'endpoint']],
  ['segments', ['command', 'endpoint']],
  ['executions', ['command', 'endpoint']],
  ['executionBytes', ['command', 'endpoint']],
  ['concurrency', ['command', 'endpoint']],
  ...ENDPOINT_FLAGS.map((name): [string, readonly VictimKind[]] => [name, ['endpoint']]),
]);

function requireUse(flags: ReadonlySet<string>, victim: VictimKind): void {
  for (const [name, kinds] of FOR) {
    if (!kinds.includes(victim)) refuseUseless([name], flags, `victim ${victim}`, `--victim ${kinds.join(' or ')}`);
  }
}

/** Words of a command line: quotes of either kind group, nothing else is special. */
function splitCommand(line: string): readonly string[] {
  if (!/^(?:[^'"]|'[^']*'|"[^"]*")*$/.test(line)) {
    throw new ConfigError('a quote in --command is not closed', { fix: 'Close it, or put it into the other kind.' });
  }
  const words = [...line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)];
  return words.map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_, one?: string, two?: string) => one ?? two ?? ''),
  );
}

/** The prompt in a file, or one with the sub-sentences where these are wanted, as an option of settings. */
export function givenTemplate(file: string | undefined, segments: boolean): { readonly template?: PromptTemplate } {
  if (file !== undefined) return { template: loadPromptTemplate(file, ['segments']) };
  return segments ? { template: SEGMENTS_TEMPLATE } : {};
}

/** An endpoint sees the prompt alone. @throws ConfigError where that lacks the sub-sentences */
function requireSegments({ template }: Pick<EndpointVictimSettings, 'template'>, segments: boolean): void {
  if (!segments || template === undefined || `${template.system ?? ''}${template.user}`.includes('{segments}')) return;
  throw new ConfigError('the prompt template lacks {segments}', {
    fix: 'Put {segments} where the model is to read the sub-sentences, or leave out --segments.',
  });
}

function endpointVictimSettings(options: VictimOptions): EndpointVictimSettings {
  return {
    ...endpointSettings(options, 'victim endpoint'),
    ...givenTemplate(options.promptTemplate, options.segments),
  };
}

/** What a model outside gets with its questions. */
function extrasOf(options: VictimOptions, flags: ReadonlySet<string>): QuestionExtras {
  const { segments, executions: count, executionBytes: bytes = EXECUTION_BYTES, timeout } = options;
  if (count === undefined) {
    refuseUseless(['executionBytes'], flags, 'a model that executes nothing', '--executions');
    return segments ? { segments } : {};
  }
  return { ...(segments && { segments }), executions: { count, bytes, timeoutMs: timeout * 1000 } };
}

/**
 * The victim that the options choose; `flags`: those given on the command line.
 * @throws ConfigError when one is missing, wrong, or for another victim
 */
export function victimOf(options: VictimOptions, flags: ReadonlySet<string>): VictimChoice {
  const { victim, train, predictions, concurrency, answerTimeout, segments } = options;
  requireUse(flags, victim);
  const extras = extrasOf(options, flags);
  switch (victim) {
    case 'baseline':
      return { kind: victim, train: train ?? null };
    case 'command': {
      const command = splitCommand(needed(options.command, 'command', `victim ${victim}`));
      const width = concurrency === undefined ? {} : { concurrency };
      const prompt = givenTemplate(options.promptTemplate, segments);
      const settings = { command, timeoutMs: answerTimeout * 1000, ...width, ...prompt };
      return { kind: victim, settings, ...extras };
    }
    case 'endpoint': {
      const settings = endpointVictimSettings(options);
      requireSegments(settings, segments);
      return { kind: victim, settings, ...extras };
    }
    case 'file':
      return { kind: victim, predictions: needed(predictions, 'predictions', `victim ${victim}`) };
  }
}
