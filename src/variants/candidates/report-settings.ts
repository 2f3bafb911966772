import { basename } from 'node:path';
import type { ReportedModel, ReportedSettings } from '../../report/report-context.js';
import type { LocatedModel } from '../../inference/model-store.js';
import { isJudged } from '../../recipes/recipes.js';
import { embeddedIndexFolder, type StageResources } from '../../recipes/stage-resources.js';
import { RetrievalSource } from '../../retriever/retrieval-source.js';
import { sha256Of } from '../../run/sha256.js';
import { VERSION } from '../../version.js';
import type { CandidatesRun } from './candidates-run.js';

function reportModel({ manifest, sha256 }: LocatedModel): ReportedModel {
  return { name: manifest.name, revision: manifest.revision, sha256, nonCommercial: manifest.nonCommercial };
}

/** A language model has no files: its hash is that of all that its judgments depend on. */
function reportJudge({ settings, nliModel, judgeFingerprint }: StageResources): ReportedModel {
  if (settings.nli.id === 'onnx') return reportModel(nliModel());
  const sha256 = sha256Of(judgeFingerprint);
  return { name: 'language model as judge', revision: judgeFingerprint, sha256, nonCommercial: false };
}

/** Returns the settings of a run for its report: recipe, thresholds, models, index, by name, revision and hash. */
export async function reportSettings(run: CandidatesRun): Promise<ReportedSettings> {
  const { resources, options } = run;
  const { recipe, settings } = resources;
  const stages = await run.stages();
  const kinds = new Set([...recipe.rpl.sources, ...recipe.add.sources]);
  const judged = isJudged(recipe);
  const retrieval = stages.sources.retrieval;
  const index = kinds.has('retrieval') || kinds.has('random') ? await resources.index() : null;
  const encoded = (kinds.has('retrieval') && settings.retriever.id !== 'bm25') || kinds.has('bank');
  return {
    recipe: recipe.id,
    seed: options.seed,
    thresholds: judged ? resources.thresholds() : null,
    models: [...(encoded ? [reportModel(resources.encoderModel())] : []), ...(judged ? [reportJudge(resources)] : [])],
    index:
      index === null
        ? null
        : {
            name: basename(settings.retriever.index ?? embeddedIndexFolder()),
            tables: index.size,
            k: retrieval instanceof RetrievalSource ? retrieval.k : 0,
          },
    vectors: (await resources.ranker()).id,
    dictionary: kinds.has('dictionary') ? settings.dictionary.id : null,
    version: VERSION,
  };
}
