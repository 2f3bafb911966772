import { mustGet } from '../../present.js';
import type { ModelTask } from '../model-manifest.js';

/** Number formats of the weights, in the order in which one is taken where none is asked for. */
export const DTYPES = ['fp32', 'q8', 'fp16', 'q4'] as const;
export type Dtype = (typeof DTYPES)[number];

/** The tasks that a model is pulled for, as the command line names them. */
export const PULL_TASKS = ['nli', 'encoder', 'fill-mask', 'vectors', 'linker'] as const;
export type PullTask = (typeof PULL_TASKS)[number];

/** The task of a manifest by its name on the command line. */
export const TASK_OF: Readonly<Record<PullTask, ModelTask>> = {
  nli: 'nli',
  encoder: 'table-context-encoder',
  'fill-mask': 'fill-mask',
  vectors: 'vectors',
  linker: 'schema-linker',
};

/** The setting that chooses a model of each task; null where a command names it. */
export const SETTING_OF: Readonly<
  Record<ModelTask, 'nli.model' | 'retriever.model' | 'masked.model' | 'reranker.vectors' | null>
> = {
  nli: 'nli.model',
  'table-context-encoder': 'retriever.model',
  'fill-mask': 'masked.model',
  vectors: 'reranker.vectors',
  'schema-linker': null,
};

/** A manifest's task by its name on the command line. */
export function pullTaskOf(task: ModelTask): PullTask {
  return mustGet(
    PULL_TASKS.find((name) => TASK_OF[name] === task),
    'the name of a task',
  );
}
