import { z } from 'zod';
import type { Dataset } from '../formats/dataset.js';
import type { IdentifierLine } from '../formats/given-readings.js';
import type { ReadingsChoice } from '../llm/model-readings.js';
import type { RunHost } from '../run/run-host.js';
import { pick, flag, inGroup } from '../options/option-field.js';
import { defineCommand } from './command.js';
import { idleInIdentifiers } from './idle-options.js';
import { settingsOf } from './model-settings.js';
import { DATASET_OPTIONS, MACHINE_OPTIONS, CACHE_OPTION, DRY_RUN_OPTION } from './shared-options.js';
import { endpointSettings } from '../chat/endpoint-options.js';
import { checkIdle, refuseUseless, refuseUselessSettings } from '../options/given-options.js';
import type { Settings } from '../recipes/settings.js';
import { alignColumns } from '../report/text-table.js';
import { ASKING_FLAGS, askingOptions, parsePrices } from './asking-options.js';

const OF = 'identifiers.id llm';

/** Which language model is asked what identifiers say, and what it is told. */
const READINGS_OPTIONS = {
  ...askingOptions(OF),
  ...inGroup('Endpoint', {
    sendValues: flag(`${OF}: show the model sample values; without it no cell leaves the machine`),
  }),
  ...CACHE_OPTION,
  ...DRY_RUN_OPTION,
};

const LINES_OPTION = { json: flag('print a JSON object for each table and column, a line each', { flagOnly: true }) };

const FLAGS = [...ASKING_FLAGS, 'sendValues', 'cache', 'dryRun'];

/**
 * The language model that the options choose, null where none is asked; `flags`: those given on the command line.
 * @throws ConfigError when an option is missing, wrong or of no use
 */
function readingsOf(
  options: z.infer<z.ZodObject<typeof READINGS_OPTIONS>>,
  { identifiers }: Pick<Settings, 'identifiers'>,
  flags: ReadonlySet<string>,
): ReadingsChoice | null {
  if (identifiers.id === null) {
    refuseUseless(FLAGS, flags, 'a reading that asks no language model', '--set identifiers.id=llm');
    return null;
  }
  const { sendValues, prices } = options;
  return { endpoint: endpointSettings(options, OF), sendValues, prices: parsePrices(prices) };
}

/** Returns a language model's readings. Its answers are kept, even if asking ends early. */
async function askedLines(choice: ReadingsChoice, dataset: Dataset, host: RunHost): Promise<readonly IdentifierLine[]> {
  const [{ ModelReadings }, { createStageContext }] = await Promise.all([
    import('../llm/model-readings.js'),
    import('../run/run-host.js'),
  ]);
  const readings = new ModelReadings(choice);
  try {
    return await readings.read(dataset, createStageContext(0, host));
  } finally {
    await readings.dispose();
    for (const line of readings.describe()) host.note(line);
  }
}

async function previewLines(choice: ReadingsChoice, dataset: Dataset): Promise<readonly string[]> {
  const [{ estimateReadings }, { describeEstimate }] = await Promise.all([
    import('../llm/model-readings.js'),
    import('../llm/create-proposer.js'),
  ]);
  const estimate = estimateReadings(choice, dataset);
  return [describeEstimate(estimate), ...(estimate.firstPrompts ?? [])];
}

/** Readings as a table. */
function renderReadings(lines: readonly IdentifierLine[]): readonly string[] {
  const rows = lines.map(({ db_id, table, column, reading, confidence, evidence }) => [
    confidence.toFixed(2),
    [db_id, table, ...(column === null ? [] : [column])].join('.'),
    reading,
    evidence,
  ]);
  return alignColumns([['confidence', 'identifier', 'reading', 'evidence'], ...rows]);
}

/** `perturbql identifiers`. */
export const command = defineCommand({
  options: z.object({ ...DATASET_OPTIONS, set: MACHINE_OPTIONS.set, ...READINGS_OPTIONS, ...LINES_OPTION }),
  example: 'perturbql identifiers --databases clinic.sqlite',
  onInterrupt: 'pauses',
  async run(given, { config, flags, host }) {
    checkIdle(idleInIdentifiers(given), flags, host);
    refuseUselessSettings(given.set, (name) => name.startsWith('identifiers.'), 'reading identifiers');
    const choice = readingsOf(given, await settingsOf(given, config), flags);
    const [{ loadSchemas }, { readingLinesOf }] = await Promise.all([
      import('../formats/load-dataset.js'),
      import('../formats/given-readings.js'),
    ]);
    const dataset = await loadSchemas(pick(given, DATASET_OPTIONS));
    if (choice !== null && given.dryRun) return { lines: await previewLines(choice, dataset) };
    for (const note of dataset.notes ?? []) host.note(note);
    const found = choice === null ? readingLinesOf(dataset) : await askedLines(choice, dataset, host);
    // In the order in which people check them.
    const lines = [...found].sort((a, b) => a.confidence - b.confidence);
    return { lines: given.json ? lines.map((line) => JSON.stringify(line)) : renderReadings(lines) };
  },
});
