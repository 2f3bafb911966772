import { createStages } from '../../src/create-stages.js';
import type { CandidateDecision } from '../../src/formats/artifacts/candidates.js';
import { runPipeline, type TableTask } from '../../src/pipeline.js';
import type { RecipeName } from '../../src/recipes/recipe-names.js';
import { RECIPES } from '../../src/recipes/recipes.js';
import { parseSettings } from '../../src/recipes/settings.js';
import { StageResources } from '../../src/recipes/stage-resources.js';
import { createStageContext, NOOP_HOST } from '../../src/run/run-host.js';
import { PAPER_TABLE_10, type ShownColumn } from './paper-figures.js';

const SEED = 1;
/** Names of a column that are shown: the paper has two to four. */
const SHOWN = 4;

/** What a recipe gives to the columns of ADVETA's Table 10, by bucket and column. */
export type ShownNames = ReadonlyMap<string, readonly string[]>;

export const shownKey = (bucket: 'RPL' | 'ADD', { table, column }: ShownColumn): string =>
  `${bucket} ${table} ${column}`;

function taskOf({ table, columns, column, values }: ShownColumn): TableTask {
  const named = columns.map((name) => ({ name, originalName: name.replaceAll(' ', '_'), type: 'text' as const }));
  const target = {
    dbId: table,
    table: { name: table, originalName: table, columns: named },
    questions: [],
    values: columns.map((name) => (name === column ? values : [])),
  };
  return { id: `${table}/${table}`, target, columns: [columns.indexOf(column)] };
}

/** The names of one recipe, by the seed of the bench. */
export async function proposeNames(recipe: RecipeName, masked: string | null): Promise<ShownNames> {
  const resources = new StageResources(parseSettings({ masked: { model: masked } }), RECIPES[recipe], { jobs: 1 });
  try {
    const stages = await createStages(resources);
    const found = new Map<string, readonly string[]>();
    for (const bucket of ['RPL', 'ADD'] as const) {
      for (const shown of PAPER_TABLE_10[bucket]) {
        const decisions: CandidateDecision[] = [];
        const context = createStageContext(SEED, NOOP_HOST);
        for await (const result of runPipeline([taskOf(shown)], stages, context)) decisions.push(...result.decisions);
        const names = decisions.filter((one) => one.bucket === bucket).map(({ candidate }) => candidate);
        found.set(shownKey(bucket, shown), names.slice(0, SHOWN));
      }
    }
    return found;
  } finally {
    await resources.dispose();
  }
}
