import { z } from 'zod';
import type { KnownModel } from '../inference/hub/known-models.js';
import { defineCommand } from './command.js';
import type { ListedModel } from './model-choice.js';
import { modelSettings } from './model-settings.js';
import { JSON_OPTION } from './shared-options.js';

/** Display names of tasks. */
const TASK_NAMES: Readonly<Record<ListedModel['task'], string>> = {
  nli: 'judge (nli)',
  'table-context-encoder': 'encoder',
  'fill-mask': 'masked words',
  'schema-linker': 'schema linker',
  vectors: 'word vectors',
  fluency: 'fluency',
  'dependency-parser': 'dependency parser',
  'table-entity': 'primary entities',
  acceptability: 'how names read',
};

function renderModel({ name, task, origin, revision, license, bytes, folder, inUse }: ListedModel): readonly string[] {
  const version = revision === null ? '' : ` ${revision.slice(0, 19)}`;
  const size = `${(bytes / 1e6).toFixed(1)} MB`;
  return [
    `${inUse ? '*' : ' '} ${name}${version}`,
    `    ${TASK_NAMES[task]}, ${origin}, ${size}, license: ${license}`,
    `    ${folder}`,
  ];
}

function renderKnown({ name, task, megabytes, license, what }: KnownModel, howToGet: string): readonly string[] {
  return [`  ${name}`, `    ${TASK_NAMES[task]}, ${megabytes} MB, license: ${license}; ${what}`, `    ${howToGet}`];
}

/** `perturbql models list`. */
export const command = defineCommand({
  options: z.object({ ...JSON_OPTION }),
  example: 'perturbql models list',
  async run(_, { config }) {
    const [{ listModels }, { howToGet, KNOWN_MODELS }, { pulledModels }, { modelsFolder }] = await Promise.all([
      import('./model-choice.js'),
      import('../inference/hub/known-models.js'),
      import('../inference/hub/model-inventory.js'),
      import('../inference/models-folder.js'),
    ]);
    const { settings } = await modelSettings({}, config);
    const models = listModels(settings);
    const faults = pulledModels().broken.map(({ fault: { message, where, fix } }) => ({ message, where, fix }));
    const here = new Set(models.map(({ name }) => name));
    const suggestions = KNOWN_MODELS.filter(({ name }) => !here.has(name));
    const folder = modelsFolder();
    return {
      json: { folder, models, broken: faults, suggestions },
      lines: [
        ...models.flatMap(renderModel),
        ...faults.map(({ where, message, fix }) => `! ${where.file ?? ''}: ${message}\n    fix: ${fix}`),
        `\n* in use; pulled models lie in ${folder}`,
        ...(suggestions.length > 0 ? ['\nothers, by their cards (sizes of the fp32 weights, roughly):'] : []),
        ...suggestions.flatMap((model) => renderKnown(model, howToGet(model))),
      ],
    };
  },
});
