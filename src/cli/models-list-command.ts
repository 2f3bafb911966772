import { howToGet, KNOWN_MODELS } from '../inference/hub/known-models.js';
import { pulledModels } from '../inference/hub/model-inventory.js';
import { modelsFolder } from '../inference/models-folder.js';
import { type ListedModel, listModels } from './model-choice.js';
import type { RawOptions } from './options.js';
import { parseCommonOptions } from './run-context.js';

/** What a task is called where people read it. */
const TASK_NAMES: Readonly<Record<ListedModel['task'], string>> = {
  nli: 'judge (nli)',
  'table-context-encoder': 'encoder',
  vectors: 'word vectors',
  fluency: 'fluency',
};

function renderModel({ name, task, origin, revision, license, bytes, folder, inUse }: ListedModel): readonly string[] {
  const version = revision === null ? '' : ` ${revision.slice(0, 19)}`;
  const size = `${(bytes / 1e6).toFixed(1)} MB`;
  return [
    `${inUse ? '*' : ' '} ${name}${version}`,
    `    ${TASK_NAMES[task]}, ${origin}, ${size}, licence: ${license}`,
    `    ${folder}`,
  ];
}

/** `perturbql models list`. */
export async function run(raw: RawOptions): Promise<void> {
  const { settings } = parseCommonOptions(raw);
  const models = listModels(settings);
  const { broken } = pulledModels();
  const here = new Set(models.map(({ name }) => name));
  const known = KNOWN_MODELS.filter(({ name }) => !here.has(name));
  if (raw['json'] === true) {
    const faults = broken.map(({ fault: { message, where, fix } }) => ({ message, where, fix }));
    console.log(JSON.stringify({ folder: modelsFolder(), models, broken: faults, suggestions: known }, null, 2));
    return;
  }
  for (const line of models.flatMap(renderModel)) console.log(line);
  for (const { fault } of broken) console.log(`! ${fault.where.file ?? ''}: ${fault.message}\n    fix: ${fault.fix}`);
  console.log(`\n* in use; pulled models lie in ${modelsFolder()}`);
  if (known.length > 0) console.log('\nothers, by their cards (sizes of the fp32 weights, roughly):');
  for (const model of known) {
    console.log(`  ${model.name}`);
    console.log(`    ${TASK_NAMES[model.task]}, ${model.megabytes} MB, licence: ${model.license}; ${model.what}`);
    console.log(`    ${howToGet(model)}`);
  }
}
