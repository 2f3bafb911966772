import { z } from 'zod';
import { EXPORT_NAMES } from '../formats/exports/export-names.js';
import { ConfigError } from '../errors.js';
import type { MutateInput } from '../variants/mutate/mutate-options.js';
import { ANSWERABLE_IDS } from '../variants/relations/relations.js';
import { SAMPLE_CHOICES } from '../variants/relations/names/candidate-difficulty.js';
import {
  AUGMENT_DEFAULTS,
  PAPER_SET,
  parseVariants,
  VARIANT_COLUMN_CHOICES,
} from '../variants/augment/variant-plan.js';
import { MATERIALIZE_MODES } from '../variants/databases/database-change.js';
import type { MutantSource } from '../variants/augment/provenance.js';
import { defineCommand } from './command.js';
import { LLM_OPTIONS, proposerOf } from './llm-options.js';
import { modelSettings } from './model-settings.js';
import { relationsField, relationsOf } from './relation-names.js';
import { checkIdle, refuseUseless, refuseUselessSettings } from '../options/given-options.js';
import { followsSetting, idleInAugment } from './idle-options.js';
import { choice, described, flag, inGroup, optionalText, pick, unlessOff } from '../options/option-field.js';
import {
  CANDIDATES_FROM,
  DATASET_OPTIONS,
  MODEL_OPTIONS,
  PERTURB_OPTIONS,
  PIPELINE_OPTIONS,
  SHARD_OPTION,
  SYNTHETIC_OPTION,
} from './shared-options.js';

/** The mutants that are asked for; null where none are. @throws ConfigError where they are asked for in two ways */
async function mutantSourceOf(
  run: string | null,
  relations: readonly string[] | undefined,
  made: Omit<MutateInput, 'out' | 'candidates' | 'relations'>,
): Promise<MutantSource | null> {
  if (run === null && relations === undefined) return null;
  if (run !== null && relations !== undefined) {
    const fix = 'Leave --relations out, and give it to `perturbql mutate`.';
    throw new ConfigError('mutants are read from a run, or made by relations', { fix });
  }
  const { mutantsMadeBy, mutantsOfRun } = await import('../variants/mutate/training-mutants.js');
  if (run !== null) return mutantsOfRun(run);
  const isAll = relations === undefined || relations.join() === 'all';
  return mutantsMadeBy({ ...made, relations: isAll ? ANSWERABLE_IDS : relationsOf(relations) });
}

/** `perturbql augment`. */
export const command = defineCommand({
  options: z.object({
    ...PIPELINE_OPTIONS,
    ...inGroup('Candidates', {
      columns: choice(
        VARIANT_COLUMN_CHOICES,
        'which',
        'perturb whole tables, the columns that the gold query mentions (the paper), or both by turns: whole tables in the first variant of a kind, mentioned columns in the second',
      ).default(AUGMENT_DEFAULTS.columns),
      candidates: optionalText('from', `${CANDIDATES_FROM} (default: run the pipeline first)`),
    }),
    ...SYNTHETIC_OPTION,
    ...PERTURB_OPTIONS,
    ...inGroup('Candidates', {
      sample: choice(
        SAMPLE_CHOICES,
        'which',
        'of a column’s candidates, draw any; those of the harder half: far from the old name, or near to it where they are added; or either',
      ).default(AUGMENT_DEFAULTS.sample),
    }),
    variants: described(z.array(z.string()), {
      value: 'kind:number',
      description:
        'variants of each example: rpl (columns renamed), add (columns added), mixed (both in one schema); each draws its own names',
      separator: ',',
    }).default(['rpl:1', 'add:1']),
    paper: flag(
      'the paper’s set, regardless of the configuration file: one RPL and one ADD variant of the columns that the gold query mentions, drawn at random',
      { flagOnly: true },
    ),
    ...inGroup('Output', {
      materialize: choice(
        MATERIALIZE_MODES,
        'how',
        'perturbed databases: a copy each, scripts of TEMP views over the originals, or none (default: copy, with --databases, --synthetic-databases or CSV tables)',
      ).exactOptional(),
    }),
    mutants: optionalText('run', 'a run of mutate: its mutants are written after the RPL and ADD variants'),
    relations: relationsField(
      'make mutants on the way, as many as there are examples, by these relations',
      'or all',
      '',
    ),
    ...inGroup('Output', {
      verify: unlessOff('do not execute every gold query on its perturbed database at the end'),
      export: described(z.array(z.enum(EXPORT_NAMES)), {
        value: 'form',
        description:
          'a further form of the data set: Hugging Face folders of JSON lines or Parquet, chats for fine-tuning, or what a framework that trains or evaluates models loads',
      }).default([]),
      promptTemplate: optionalText(
        'file',
        'prompt of exports that have one: a text with {question}, {schema}, {dialect}; --- parts system and user',
      ),
    }),
    ...LLM_OPTIONS,
    ...MODEL_OPTIONS,
    ...SHARD_OPTION,
  }),
  example:
    'perturbql augment --tables examples/tables.json --examples examples/dev.json --databases examples/database --out RUN',
  onInterrupt: 'pauses',
  async run(given, { host, config, shard, flags }) {
    const { dryRun, export: exports, mutants: run, relations, variants, paper, ...paths } = given;
    if (paper) refuseUseless(Object.keys(PAPER_SET), flags, '--paper', 'it without --paper');
    const plan = paper ? PAPER_SET : { variants: parseVariants(variants) };
    checkIdle(idleInAugment(given, plan.variants), flags, host);
    const decides = given.candidates === null;
    // Relations take what a run of `mutate` takes.
    const isOfUse = followsSetting(relations === undefined ? given.recipe : 'cta', decides || relations !== undefined);
    refuseUselessSettings(given.set, isOfUse, decides ? `recipe ${given.recipe}` : 'candidates that are given');
    const machine = await modelSettings(given, config);
    const common = {
      ...paths,
      exports,
      ...plan,
      ...machine,
      proposer: proposerOf(given, machine.settings, flags),
      shard,
    };
    const [{ augment, materializeModeOf, workOf }, { augmentOutput }, { PROJECT_CANDIDATES }] = await Promise.all([
      import('../variants/augment/augment.js'),
      import('./augment-lines.js'),
      import('../annotate/final-candidates.js'),
    ]);
    const candidateForms = [PROJECT_CANDIDATES];
    const mutants = await mutantSourceOf(run, relations, {
      candidateForms,
      ...pick(given, { ...DATASET_OPTIONS, ...SYNTHETIC_OPTION }),
      ...machine,
      seed: given.seed,
      materialize: materializeModeOf(common) === 'none' ? null : 'copy',
    });
    const options = { ...common, mutants, candidateForms };
    if (!dryRun) return augmentOutput(await augment(options, host), options.out);
    const [{ previewRun }, { loadGiven }, { describeDatabases }] = await Promise.all([
      import('./preview-run.js'),
      import('../variants/candidates/candidate-forms.js'),
      import('../variants/databases/write-databases.js'),
    ]);
    const lines = await previewRun(options, host, (run) => {
      // What the run would refuse of them, or note, is told before.
      const given = loadGiven(options, run.dataset, host);
      const materialize = materializeModeOf(options);
      return { work: workOf({ ...options, materialize }, given), lines: describeDatabases(run, materialize) };
    });
    return { lines };
  },
});
