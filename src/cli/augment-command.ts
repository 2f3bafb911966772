import { z } from 'zod';
import { EXPORT_NAMES } from '../formats/exports/export-names.js';
import { MATERIALIZE_MODES } from '../perturb/database/materialize-mode.js';
import { defineCommand } from './command.js';
import { LLM_OPTIONS, proposerOf } from './llm-options.js';
import { modelSettings } from './model-settings.js';
import { choice, described, text, unlessOff } from './option-field.js';
import {
  CANDIDATES_FROM,
  MODEL_OPTIONS,
  PERTURB_OPTIONS,
  PIPELINE_OPTIONS,
  SHARD_OPTION,
  SYNTHETIC_OPTION,
} from './shared-options.js';

/** `perturbql augment`. */
export const command = defineCommand({
  options: z.object({
    ...PIPELINE_OPTIONS,
    candidates: text('from', `${CANDIDATES_FROM} (default: run the pipeline first)`).nullable().default(null),
    ...SYNTHETIC_OPTION,
    ...PERTURB_OPTIONS,
    materialize: choice(
      MATERIALIZE_MODES,
      'how',
      'perturbed databases: a copy each, scripts of TEMP views over the originals, or none (default: copy, with --databases, --synthetic-databases or CSV tables)',
    ).exactOptional(),
    verify: unlessOff('do not execute every gold query on its perturbed database at the end'),
    export: described(z.array(z.enum(EXPORT_NAMES)), {
      value: 'form',
      description:
        'a further form of the data set: Hugging Face folders of JSON lines or Parquet, or chats for fine-tuning',
    }).default([]),
    promptTemplate: text(
      'file',
      'prompt of the chat export: a text with {question}, {schema}, {dialect}; --- parts system and user',
    )
      .nullable()
      .default(null),
    ...LLM_OPTIONS,
    ...MODEL_OPTIONS,
    ...SHARD_OPTION,
  }),
  example:
    'perturbql augment --tables examples/tables.json --examples examples/dev.json --databases examples/database --out RUN',
  onInterrupt: 'pauses',
  async run(given, { host, config, shard, flags }) {
    const { dryRun, export: exports, ...paths } = given;
    const model = { ...(await modelSettings(given, config)), proposer: proposerOf(given, flags) };
    const options = { ...paths, exports, ...model, shard };
    const [{ augment, materializeModeOf }, { augmentOutput }] = await Promise.all([
      import('../perturb/augment.js'),
      import('./augment-lines.js'),
      import('../annotate/final-candidates.js'),
    ]);
    if (!dryRun) return augmentOutput(await augment(options, host), options.out);
    const [{ previewRun }, { describeDatabases }] = await Promise.all([
      import('./preview-run.js'),
      import('../perturb/database/write-databases.js'),
    ]);
    return { lines: await previewRun(options, host, (run) => describeDatabases(run, materializeModeOf(options))) };
  },
});
