import { RECIPES } from '../../recipes/recipes.js';
import { parseSettings, type Settings } from '../../recipes/settings.js';
import { StageResources } from '../../recipes/stage-resources.js';
import { TPE_PREDICTORS } from '../../registry.js';
import { createStageContext, type RunHost } from '../../run/run-host.js';
import type { RunManifest } from '../../run/run-folder.js';
import type { TargetTable } from '../../stage.js';

/** The settings that a run was made with, as far as they say what a primary entity is; the defaults without a run. */
export function entitySettings(manifest: RunManifest | null): Settings {
  const { tpe, nli } = manifest?.settings ?? {};
  return parseSettings({ ...(tpe === undefined ? {} : { tpe }), ...(nli === undefined ? {} : { nli }) });
}

/** The primary entity of each table, as the run predicted it; a model is loaded only where no name tells it. */
export async function predictEntities(
  targets: readonly TargetTable[],
  settings: Settings,
  seed: number,
  host: RunHost,
): Promise<readonly string[]> {
  const resources = new StageResources(settings, RECIPES.cta);
  try {
    const predictor = await TPE_PREDICTORS[settings.tpe.id](resources);
    return await predictor.predict(targets, createStageContext(seed, host));
  } finally {
    await resources.dispose();
  }
}
