import { compareText } from '../present.js';
/** A model that took part in a run. */
export interface ReportedModel {
  readonly name: string;
  readonly revision: string;
  readonly sha256: string;
  /** True where the training data forbid commercial use of the weights. */
  readonly nonCommercial: boolean;
}

/** The settings of a run that its report gives. */
export interface ReportedSettings {
  /** Id of the recipe, "cta". */
  readonly recipe: string;
  readonly seed: number;
  /**
   * `source` tells whether the user set them, the model's manifest or the paper; null where no judge is part of the
   * recipe.
   */
  readonly thresholds: {
    readonly rplMin: number;
    readonly addMax: number;
    readonly source: 'settings' | 'manifest' | 'paper';
  } | null;
  readonly models: readonly ReportedModel[];
  /** `k` is the number of tables retrieved per target; null where the recipe retrieves nothing. */
  readonly index: { readonly name: string; readonly tables: number; readonly k: number } | null;
  /** Name of the word vectors. */
  readonly vectors: string | null;
  /** Name of the synonym dictionary. */
  readonly dictionary: string | null;
  /** Version of perturbql. */
  readonly version: string;
}

/** A plain copy with the declared keys alone, in the declared order: equal runs give equal bytes. */
export function copySettings(settings: ReportedSettings): ReportedSettings {
  const { recipe, seed, thresholds, models, index, vectors, dictionary, version } = settings;
  return {
    recipe,
    seed,
    thresholds: thresholds && { rplMin: thresholds.rplMin, addMax: thresholds.addMax, source: thresholds.source },
    models: models.map(({ name, revision, sha256, nonCommercial }) => ({ name, revision, sha256, nonCommercial })),
    index: index && { name: index.name, tables: index.tables, k: index.k },
    vectors,
    dictionary,
    version,
  };
}

/** The entries of a record in order of key, so that the order they were counted in leaves no trace. */
export function sortedRecord<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => compareText(a, b)));
}
