import { z } from 'zod';
import { ConfigError } from '../errors.js';
import type { TargetTable } from '../stage.js';
import { defineCommand } from './command.js';
import { modelSettings } from './model-settings.js';
import { positive, repeated, text } from '../options/option-field.js';
import { JSON_OPTION, MACHINE_OPTIONS } from './shared-options.js';

const options = z.object({
  title: text('text', 'its title', { flagOnly: true }).exactOptional(),
  columns: text('names', 'its column names, separated by commas', { flagOnly: true }).exactOptional(),
  question: repeated('text', 'a question asked of the table that is looked for', { flagOnly: true }),
  top: positive('k', 'tables to show').default(10),
  ...MACHINE_OPTIONS,
  ...JSON_OPTION,
});

function toTarget({ title = '', columns = '', question }: z.infer<typeof options>): TargetTable {
  const names = columns
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (title === '' && names.length === 0 && question.length === 0) {
    throw new ConfigError('there is nothing to look for', { fix: 'Give --title, --columns or --question.' });
  }
  const described = names.map((name) => ({ name, originalName: name, type: 'text' as const }));
  return { dbId: '', table: { name: title, originalName: title, columns: described }, questions: question, values: [] };
}

/** `perturbql index query`. */
export const command = defineCommand({
  options,
  argument: { name: '[dir]', description: 'folder of the index (default: the embedded one)' },
  example: 'perturbql index query --title singer --columns "name, country, age"',
  onInterrupt: 'stops',
  async run(given, { args: [index], host, config }) {
    const target = toTarget(given);
    const [{ RETRIEVERS }, { RECIPES }, { StageResources }, { createStageContext }] = await Promise.all([
      import('../registry.js'),
      import('../recipes/recipes.js'),
      import('../recipes/stage-resources.js'),
      import('../run/run-host.js'),
    ]);
    const asked = index === undefined ? given : { ...given, index };
    const { settings, jobs = 1, device } = await modelSettings(asked, config);
    const resources = new StageResources(settings, RECIPES.cta, { jobs, device });
    try {
      const retriever = await RETRIEVERS[settings.retriever.id](resources);
      const [found = []] = await retriever.retrieve([target], given.top, createStageContext(0, host));
      return {
        json: found.map(({ table: { id, title, columns }, score }) => ({ score, id, title, columns })),
        lines: found.map(
          ({ table, score }) => `${score.toFixed(3)}  ${table.title}: ${table.columns.join(', ')}  [${table.id}]`,
        ),
      };
    } finally {
      await resources.dispose();
    }
  },
});
