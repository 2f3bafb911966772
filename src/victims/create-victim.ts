import { basename } from 'node:path';
import { ConfigError } from '../errors.js';
import type { Dataset, DatasetExample, DatasetPaths } from '../formats/dataset.js';
import { loadDataset } from '../formats/load-dataset.js';
import { requireExamples } from '../perturb/candidates-run.js';
import { shownUrl } from '../http/http-url.js';
import { BaselineVictim } from './baseline/baseline-victim.js';
import type { BaselineExample } from './baseline/known-example.js';
import { CommandVictim } from './command-victim.js';
import { EndpointVictim } from './endpoint-victim.js';
import { ExecutingVictim } from './executions/executing-victim.js';
import type { ExecutionLimits } from './executions/sql-executions.js';
import { predictionsFingerprint } from './file-victim.js';
import { SegmentingVictim } from './segmenting-victim.js';
import type { Victim } from './victim.js';
import type { QuestionExtras, VictimChoice } from './victim-choice.js';

type ExtendedChoice = Extract<VictimChoice, QuestionExtras>;

interface NamedVictim {
  readonly id: string;
  readonly fingerprint: string;
  /** For people, without secrets. */
  readonly description: string;
  /** How far it may query the databases of its questions; absent: not at all. */
  readonly executions?: ExecutionLimits;
  /** Whether a turn of an interaction is asked with those before it. */
  readonly withContext: boolean;
}

/** A victim that can be asked, or the file of its predictions, which is read when the questions are known. */
export type ChosenVictim = NamedVictim &
  ({ readonly victim: Victim } | { readonly victim: null; readonly predictions: string });

/** How questions and examples of a run belong together. */
export interface RunExamples {
  /** The examples that a question was made of, by its id. */
  readonly examplesOf: (questionId: string) => readonly string[];
  /** Whether the built-in parser may learn from an example of those attacked. */
  readonly isLearned: (example: DatasetExample) => boolean;
}

function* baselineExamples(dataset: Dataset, isLearned: RunExamples['isLearned']): Generator<BaselineExample> {
  const samples = new Map<string, BaselineExample['samples']>();
  for (const example of dataset.examples()) {
    if (!isLearned(example) || example.query === '') continue;
    const { id, dbId, question, query } = example;
    const database = dataset.databases.get(dbId)!;
    if (!samples.has(dbId)) samples.set(dbId, dataset.sampleValues(database));
    yield { id, question, query, database, samples: samples.get(dbId)! };
  }
}

/** The built-in parser, fitted on the examples of a file, or on those attacked without the one that is asked. */
async function createBaseline(
  train: string | null,
  paths: DatasetPaths,
  attacked: Dataset,
  { examplesOf, isLearned }: RunExamples,
): Promise<{ readonly victim: Victim; readonly description: string }> {
  const dataset = train === null ? attacked : await loadDataset({ ...paths, examples: train });
  requireExamples(dataset, { examples: train });
  const examples = [...baselineExamples(dataset, train === null ? isLearned : () => true)];
  if (examples.length === 0 && [...dataset.examples()].some(({ query }) => query === '')) {
    throw new ConfigError('the built-in parser has no example with a gold query to learn from', {
      fix: 'Name a file of questions with their queries with --train, or another victim.',
    });
  }
  const leftOut = train === null ? examplesOf : (): readonly string[] => [];
  const from = train === null ? 'those attacked, each left out for its own question' : basename(train);
  return {
    victim: new BaselineVictim({ examples, dialect: dataset.dialect, leftOut }),
    description: `built-in nearest-example parser with ${examples.length} examples: ${from}`,
  };
}

/** A victim that gets with its questions what was chosen. */
async function withExtras(asked: Victim, { kind, segments = false, executions }: ExtendedChoice): Promise<Victim> {
  const victim = segments ? await withSegments(asked) : asked;
  if (executions === undefined) return victim;
  return new ExecutingVictim(victim, executions, { overHttp: kind === 'command' });
}

async function withSegments(victim: Victim): Promise<Victim> {
  const { QuestionSplitter } = await import('../compositional/split/question-splitter.js');
  return new SegmentingVictim(victim, await QuestionSplitter.open());
}

/**
 * Makes the victim that was chosen; nothing is started, fitted or called yet.
 * @throws ConfigError when a setting is wrong
 * @throws InputFormatError when a file of examples or predictions is not what it should be
 */
export async function createVictim(
  choice: VictimChoice,
  paths: DatasetPaths,
  attacked: Dataset,
  examples: RunExamples,
): Promise<ChosenVictim> {
  const named = (victim: Victim, description: string, withContext = true): ChosenVictim => {
    const { id, fingerprint } = victim;
    const extras = 'executions' in choice && choice.executions ? { executions: choice.executions } : {};
    return { victim, id, fingerprint, description, withContext, ...extras };
  };
  switch (choice.kind) {
    case 'baseline': {
      const { victim, description } = await createBaseline(choice.train, paths, attacked, examples);
      return named(victim, description, false);
    }
    case 'command': {
      // The arguments may hold a key.
      const description = `command ${basename(choice.settings.command[0] ?? '')}`;
      return named(await withExtras(new CommandVictim(choice.settings), choice), description);
    }
    case 'endpoint': {
      const { model, baseUrl } = choice.settings;
      return named(await withExtras(new EndpointVictim(choice.settings), choice), `${model} at ${shownUrl(baseUrl)}`);
    }
    case 'own':
      return named(choice.victim, choice.victim.id);
    case 'file': {
      const fingerprint = predictionsFingerprint(choice.predictions);
      const description = `predictions in ${basename(choice.predictions)}`;
      return { victim: null, predictions: choice.predictions, id: 'file', fingerprint, description, withContext: true };
    }
  }
}
