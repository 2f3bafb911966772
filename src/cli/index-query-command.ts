import { z } from 'zod';
import { ConfigError } from '../errors.js';
import { RETRIEVERS } from '../registry.js';
import { RECIPES } from '../recipes/recipes.js';
import { StageResources } from '../recipes/stage-resources.js';
import { createStageContext } from '../run/run-host.js';
import type { RetrievedTable, TargetTable } from '../stage.js';
import { ConsoleHost } from './console-host.js';
import { positiveOption } from './number-options.js';
import type { RawOptions } from './options.js';
import { parseCommonOptions, parseOptions, withInterrupt } from './run-context.js';

const schema = z.object({
  title: z.string().default(''),
  columns: z.string().default(''),
  question: z.array(z.string()).default([]),
  top: positiveOption,
  json: z.boolean().default(false),
});

function toTarget({ title, columns, question }: z.infer<typeof schema>): TargetTable {
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
export async function run(raw: RawOptions, folder?: string): Promise<void> {
  const options = parseOptions(schema, raw);
  const common = parseCommonOptions(folder === undefined ? raw : { ...raw, index: folder });
  const target = toTarget(options);
  const tables = await withInterrupt(async (signal) => {
    const { settings, workers = 1, device } = common;
    const resources = new StageResources(settings, RECIPES.cta, { workers, device });
    try {
      const retriever = await RETRIEVERS[common.settings.retriever.id](resources);
      const host = new ConsoleHost(signal);
      const [found] = await retriever.retrieve([target], options.top, createStageContext(common.seed, host));
      return found ?? [];
    } finally {
      await resources.dispose();
    }
  }, false);
  print(tables, options.json);
}

function print(tables: readonly RetrievedTable[], json: boolean): void {
  if (json) {
    console.log(
      JSON.stringify(
        tables.map(({ table, score }) => ({ score, id: table.id, title: table.title, columns: table.columns })),
        null,
        2,
      ),
    );
    return;
  }
  for (const { table, score } of tables)
    console.log(`${score.toFixed(3)}  ${table.title}: ${table.columns.join(', ')}  [${table.id}]`);
}
