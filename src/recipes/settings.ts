import { z } from 'zod';
import { KEEP_PROBABILITY, MAX_CANDIDATES, MAX_REPEATS } from '../dictionary/dictionary-source.js';
import { shapeFault } from '../shape-fault.js';
import { ConfigError } from '../errors.js';
import { KEPT_CANDIDATES } from '../reranker/word-vector-ranker.js';
import { nearestWord } from './nearest-word.js';
import { itemAt } from '../present.js';

const probability = z.number().min(0).max(1);
const path = z.string().min(1).nullable();

/** Every setting of a CTA run, with its default; `--set nli.rplMin=0.7` or a configuration file change one. */
export const settingsSchema = z.strictObject({
  retriever: z
    .strictObject({
      id: z.enum(['hnsw', 'exact', 'bm25']).default('hnsw'),
      /** Tables retrieved per target; null = min(100, 5 % of the index). ADVETA §4.1 takes 100 of 600k. */
      topK: z.int().positive().nullable().default(null),
      /** Tables scoring below this share of the nearest one's score are of another domain; 0 = keep all. */
      domainFloor: probability.default(0.7),
      /** Folder of the index; null = the embedded one. */
      index: path.default(null),
      /** Table-context encoder, a pulled one's name or a folder; null = the embedded one. */
      model: path.default(null),
    })
    .prefault({}),
  reranker: z
    .strictObject({
      /** Distinct candidates kept per column (ADVETA §4.2: 20). */
      keep: z.int().positive().default(KEPT_CANDIDATES),
      /** Word vectors, pulled ones' name or a file; null = the embedded retrofitted-glove. */
      vectors: path.default(null),
    })
    .prefault({}),
  dictionary: z
    .strictObject({
      id: z.enum(['wordnet', 'oxford']).default('wordnet'),
      /** Probability that a word stays (ADVETA §4.3: 0.25). */
      keepProbability: probability.default(KEEP_PROBABILITY),
      maxCandidates: z.int().positive().default(MAX_CANDIDATES),
      maxRepeats: z.int().positive().default(MAX_REPEATS),
    })
    .prefault({}),
  bank: z
    .strictObject({
      /**
       * Names of the bank of columns proposed per column, of replacements and of additions each; 0 = none, as in the
       * paper.
       */
      keep: z.int().min(0).default(12),
    })
    .prefault({}),
  attributes: z
    .strictObject({
      /** Attributes of the rows' entity proposed per column, as additions; 0 = none, as in the paper. */
      keep: z.int().min(0).default(40),
      /** True if what any table may have ("remarks", "date added") is proposed, too. */
      filler: z.boolean().default(false),
    })
    .prefault({}),
  masked: z
    .strictObject({
      /** Masked language model of recipe `bert-attack`, a pulled one's name or a folder; null = none. */
      model: path.default(null),
    })
    .prefault({}),
  identifiers: z
    .strictObject({
      /**
       * Who reads identifiers when `perturbql identifiers` does, a language model; null = the embedded reader. No other
       * command asks.
       */
      id: z.enum(['llm']).nullable().default(null),
    })
    .prefault({}),
  tpe: z
    .strictObject({
      id: z.enum(['auto', 'table-name', 'encoder', 'zero-shot', 'llm']).default('auto'),
      /** JSON file of annotated primary entities, `{"db_id/table": "student"}`; null = none. */
      annotations: path.default(null),
    })
    .prefault({}),
  nli: z
    .strictObject({
      /** Who judges: an NLI model on this machine, or the language model that is asked. */
      id: z.enum(['onnx', 'llm']).default('onnx'),
      /** NLI model, a pulled one's name or a folder; null = the embedded one. */
      model: path.default(null),
      /** null = the model manifest's calibrated threshold, else ADVETA's 0.65; a language model has none. */
      rplMin: probability.nullable().default(null),
      /** null = the model manifest's calibrated threshold, else ADVETA's 0.45; a language model has none. */
      addMax: probability.nullable().default(null),
      /** Score both directions against the target even where one decides. */
      fullScores: z.boolean().default(false),
      /** Decisions whose score is this close to a threshold are marked borderline: `near`. */
      nearMargin: probability.default(0.02),
    })
    .prefault({}),
  /** Rules that candidates must pass, by id; false turns one off. */
  naturalness: z.record(z.string(), z.boolean()).default({}),
});

export type Settings = z.infer<typeof settingsSchema>;

/** Dotted names of all settings, "nli.rplMin". */
export const SETTING_NAMES: readonly string[] = Object.entries(settingsSchema.parse({})).flatMap(([group, values]) =>
  Object.keys(values).map((name) => `${group}.${name}`),
);

const quoted = (name: string | null): string => (name === null ? '' : ` Did you mean "${name}"?`);

/**
 * Checks settings from a configuration file or the command line; absent ones take their defaults.
 * @throws ConfigError naming the unknown key, with a suggestion, or the wrong value.
 */
export function parseSettings(input: unknown, file?: string): Settings {
  const parsed = settingsSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const issue = itemAt(parsed.error.issues, 0);
  const where = file === undefined ? {} : { file };
  const group = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const key = [group, issue.keys[0]].filter((part) => part !== '').join('.');
    const known = group === '' ? Object.keys(settingsSchema.shape) : SETTING_NAMES;
    const suggestion = quoted(nearestWord(key, known));
    throw new ConfigError(`unknown setting "${key}"`, {
      where,
      fix: `Remove it.${suggestion} Known: ${known.join(', ')}.`,
    });
  }
  const { fault } = shapeFault(parsed.error, input);
  if (group === '') throw new ConfigError(`the set of settings ${fault}`, { where, fix: 'Write a JSON object.' });
  throw new ConfigError(`setting "${group}" ${fault}`, {
    where,
    fix: `Give "${group}" another value.`,
  });
}

/**
 * Applies `name=value` assignments (from `--set`) over settings read from a file.
 * Values are JSON where they parse as JSON, else strings.
 * @throws ConfigError when an assignment has no "=" or its name no group.
 */
export function applyAssignments(
  input: Readonly<Record<string, unknown>>,
  assignments: readonly string[],
): Record<string, unknown> {
  const result = structuredClone(input) as Record<string, unknown>;
  for (const assignment of assignments) {
    const match = /^([a-z]\w*)\.([a-z][\w.-]*)=(.*)$/is.exec(assignment);
    if (match === null) {
      const given = assignment.split('=')[0] ?? '';
      const suggestion = nearestWord(
        given,
        SETTING_NAMES.map((name) => name.split('.')[1] ?? ''),
      );
      const meant = SETTING_NAMES.find((name) => name.endsWith(`.${suggestion ?? ''}`)) ?? null;
      throw new ConfigError(`--set ${assignment} is not of the form group.name=value`, {
        fix: `Write for instance --set nli.rplMin=0.7.${quoted(meant)}`,
      });
    }
    const [, group, name, text] = match as unknown as [string, string, string, string];
    if (!Object.hasOwn(result, group)) result[group] = {};
    const values = result[group];
    // A group that is no object is the file's fault; `parseSettings` names it.
    if (typeof values === 'object' && values !== null) Object.assign(values, { [name]: parseValue(text) });
  }
  return result;
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
