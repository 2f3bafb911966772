import type { ModelTask } from '../model-manifest.js';

/** A model that is worth pulling; none of its weights ship with the package. */
export interface KnownModel {
  readonly name: string;
  readonly task: ModelTask;
  /** Weights as fp32, in MB, roughly. */
  readonly megabytes: number;
  readonly license: string;
  readonly what: string;
  /** How it is had: from the hub as it is, exported first, or from where its authors have it. */
  readonly how: 'pull' | 'export' | 'file';
}

/** Suggestions of `models list`; names are those of a hub, licenses what their cards say. */
export const KNOWN_MODELS: readonly KnownModel[] = [
  {
    name: 'FacebookAI/roberta-large-mnli',
    task: 'nli',
    megabytes: 1430,
    license: 'MIT',
    what: 'the paper’s judge (ADVETA §4.4), 355M parameters',
    how: 'export',
  },
  {
    name: 'cross-encoder/nli-deberta-v3-base',
    task: 'nli',
    megabytes: 740,
    license: 'Apache-2.0',
    what: 'a newer NLI cross-encoder, 184M parameters',
    how: 'pull',
  },
  {
    name: 'sentence-transformers/all-mpnet-base-v2',
    task: 'table-context-encoder',
    megabytes: 440,
    license: 'Apache-2.0',
    what: 'a sentence encoder of 768 dimensions',
    how: 'pull',
  },
  {
    name: 'deepset/all-mpnet-base-v2-table',
    task: 'table-context-encoder',
    megabytes: 440,
    license: 'see its card',
    what: 'the same, tuned on tables',
    how: 'export',
  },
  {
    name: 'google-bert/bert-large-uncased',
    task: 'fill-mask',
    megabytes: 1340,
    license: 'Apache-2.0',
    what: 'the masked language model of the paper’s BERT-Attack (ADVETA appendix D), 340M parameters',
    how: 'export',
  },
  {
    name: 'numberbatch-en-19.08',
    task: 'vectors',
    megabytes: 330,
    license: 'CC-BY-SA-4.0',
    what: 'the paper’s word vectors (ADVETA §4.2): numberbatch-en-19.08.txt.gz',
    how: 'file',
  },
];

/** The command that gets a known model, or the first of two. */
export function howToGet({ name, task, how, license }: KnownModel): string {
  if (how === 'file') return `perturbql models pull FILE-OR-URL --task vectors --name ${name} --license ${license}`;
  if (how === 'export') {
    const masked = task === 'fill-mask' ? ' --task fill-mask' : '';
    return `python training/export_hub_model.py ${name}${masked} --out FOLDER`;
  }
  return `perturbql models pull ${name} --task ${task === 'nli' ? 'nli' : 'encoder'}`;
}
