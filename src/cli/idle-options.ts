import { AUDIT_CLASSES, type AuditClassName } from '../evaluate/audit/audit-classes.js';
import type { CompatName } from '../evaluate/compat.js';
import { EVALUATE_DEFAULTS } from '../evaluate/evaluate-options.js';
import type { MetricName } from '../evaluate/metrics.js';
import { type DatasetFormat, isRowless, mayBeSynthetic } from '../formats/dataset-formats.js';
import type { IdleOptions } from '../options/given-options.js';
import type { RecipeName } from '../recipes/recipe-names.js';
import { isJudged, RECIPES } from '../recipes/recipes.js';
import type { RunManifest } from '../run/run-folder.js';
import type { CandidateSourceKind } from '../stage.js';
import type { MaterializeMode } from '../variants/databases/database-change.js';
import type { VariantKind, VariantPlan } from '../variants/augment/variant-plan.js';
import { PUBLISHED_MODES, type ResultMode } from '../sql/execution/result-mode.js';
import type { AttackStrategy } from '../measure/attack/attack-options.js';
import type { QuestionMode } from '../variants/relations/relation.js';
import { MUTATING_RELATIONS, type MutatingId } from '../variants/relations/relations.js';
import { entryOf, type VictimKind } from '../victims/victims.js';

// Per command: the options that change nothing in some of its runs, and in which. What a data set's format does not
// read is refused where data sets are loaded, and what only another victim takes in `victimOf`.

/** Data as options name them. */
interface GivenData {
  readonly dataset: DatasetFormat;
  readonly tables: string | null;
  readonly examples: string | null;
  readonly databases: string | null;
  readonly connection: string | null;
}

const OF_RESULTS = ['mode', 'compat', 'plugValues'];
const WITHOUT_ROWS = 'a data set without rows, where nothing is executed';

/** Of options that make databases. */
const idleSynthetic = ({ dataset }: Pick<GivenData, 'dataset'>): IdleOptions => ({
  names: ['syntheticDatabases'],
  when: !mayBeSynthetic(dataset),
  of: `data set format ${dataset}, whose schemas have rows or are a server’s`,
  instead: 'a data set without rows',
});

/** Kinds of sources that a recipe asks. */
function sourcesOf(recipe: RecipeName): ReadonlySet<CandidateSourceKind> {
  const { rpl, add } = RECIPES[recipe];
  return new Set([...rpl.sources, ...add.sources]);
}

/** Settings that one kind of sources alone follows. */
const OF_SOURCES: readonly (readonly [setting: string, sources: readonly CandidateSourceKind[]])[] = [
  ['bank.keep', ['bank']],
  ['attributes.keep', ['attributes']],
  ['dictionary.keepProbability', ['dictionary']],
  ['dictionary.maxCandidates', ['dictionary']],
  ['dictionary.maxRepeats', ['dictionary']],
  ['masked.model', ['masked']],
  ['retriever.index', ['retrieval', 'random']],
  ['retriever.topK', ['retrieval']],
  ['retriever.domainFloor', ['retrieval']],
];

/** Tells whether a recipe follows a setting; `decides`: it is asked for candidates. */
export function followsSetting(recipe: RecipeName, decides = true): (setting: string) => boolean {
  const asked = decides ? sourcesOf(recipe) : new Set<CandidateSourceKind>();
  return (setting) => {
    if (setting === 'nli.fullScores') return decides && isJudged(RECIPES[recipe]);
    const sources = OF_SOURCES.find(([name]) => name === setting)?.[1];
    return sources === undefined || sources.some((kind) => asked.has(kind));
  };
}

/** Of `candidates`. */
export function idleInCandidates({ recipe }: { readonly recipe: RecipeName }): readonly IdleOptions[] {
  const sources = sourcesOf(recipe);
  return [
    {
      names: ['index'],
      when: !sources.has('retrieval') && !sources.has('random'),
      of: `recipe ${recipe}, which retrieves no tables`,
      instead: '--recipe cta',
    },
    {
      names: ['fullScores'],
      when: !isJudged(RECIPES[recipe]),
      of: `recipe ${recipe}, which has no judge`,
      instead: '--recipe cta',
    },
  ];
}

interface GivenToAugment extends Pick<GivenData, 'dataset' | 'databases'> {
  readonly candidates: string | null;
  readonly recipe: RecipeName;
  readonly relations?: readonly string[];
  readonly syntheticDatabases: boolean;
  readonly materialize?: MaterializeMode;
}

/** Of `augment`. */
export function idleInAugment(given: GivenToAugment, variants: VariantPlan): readonly IdleOptions[] {
  const { candidates, recipe, relations, dataset, databases, syntheticDatabases, materialize } = given;
  const has = (kind: VariantKind): boolean => (variants[kind] ?? 0) > 0;
  const ofGiven = { of: 'candidates that are given', instead: 'no --candidates' };
  const isUnwritten = materialize === 'none' || (!syntheticDatabases && isRowless(dataset, databases));
  // A judge also says of drawn names whether they mean the same.
  const isNamed = candidates !== null && RECIPES[recipe].rpl.rule.kind === 'entailment';
  return [
    { names: ['recipe'], when: isNamed, ...ofGiven },
    { names: ['opaque'], when: candidates !== null, ...ofGiven },
    // Some relations retrieve.
    { names: ['index'], when: candidates !== null && relations === undefined, ...ofGiven },
    ...(candidates === null && relations === undefined ? idleInCandidates({ recipe }) : []),
    {
      names: ['addPosition', 'keepStar'],
      when: !has('ADD') && !has('mixed'),
      of: 'variants without added columns',
      instead: '--variants with add or mixed',
    },
    {
      names: ['linkedKeys'],
      when: !has('RPL') && !has('mixed'),
      of: 'variants without renamed columns',
      instead: '--variants with rpl or mixed',
    },
    {
      names: ['verify'],
      isNegated: true,
      when: isUnwritten,
      of: 'a run that writes no databases, where nothing is executed',
      instead: '--databases',
      isTuning: true,
    },
    idleSynthetic(given),
  ];
}

interface GivenToMutate extends Pick<GivenData, 'dataset'> {
  readonly question: QuestionMode;
  readonly compose: number;
  readonly relation: readonly string[];
}

/** Of `mutate`; `relation` are relations of the user's own, which may do anything. */
export function idleInMutate(given: GivenToMutate, relations: readonly MutatingId[]): readonly IdleOptions[] {
  const { question, compose, relation } = given;
  const of = `relations ${relations.join(', ')}`;
  const follows = (id: MutatingId, option: 'candidates' | 'graph' | 'question'): boolean =>
    MUTATING_RELATIONS[id].follows?.includes(option) === true;
  const idsFollowing = (option: 'candidates' | 'graph' | 'question'): string =>
    Object.keys(MUTATING_RELATIONS)
      .filter((id) => follows(id as MutatingId, option))
      .join(', ');
  const ofNone = (option: 'candidates' | 'graph' | 'question'): IdleOptions => ({
    names: [option],
    when: !relations.some((id) => follows(id, option)),
    of,
    instead: `one of ${idsFollowing(option)} in --relations`,
  });
  const isReworded = relations.some(
    (id) => MUTATING_RELATIONS[id].target === 'utterance' || (question === 'follow' && follows(id, 'question')),
  );
  const ofSameWords = {
    when: !isReworded && relation.length === 0,
    of: `${of}, which reword no question that asks the same`,
    instead: 'PI, PR, PS or SS in --relations',
  };
  return [
    ofNone('candidates'),
    ofNone('graph'),
    ofNone('question'),
    { names: ['askFluency'], ...ofSameWords },
    { names: ['guard'], isNegated: true, isTuning: true, ...ofSameWords },
    {
      names: ['compose'],
      when: compose > 1 && relations.length + relation.length < 2,
      of: 'one relation, which is not applied twice',
      instead: 'several in --relations',
    },
    idleSynthetic(given),
  ];
}

/** Of commands that ask a model about a run, or about candidates. */
interface GivenToAsk extends GivenData {
  readonly victim: VictimKind;
  readonly mutants: string | null;
  readonly compositions: string | null;
}

/** Of executing what a model answers. */
function idleInScoring({ victim, ...given }: GivenToAsk, isDataNamed: boolean): readonly IdleOptions[] {
  const ofColumns = { of: `victim ${victim}, which answers with columns`, instead: 'a victim that answers with SQL' };
  const ofRowless = { of: WITHOUT_ROWS, instead: '--databases' };
  // A run that is named instead of a data set may hold rows.
  const hasNone = isDataNamed && isRowless(given.dataset, given.databases);
  const isOfColumns = entryOf(victim).traits.answers === 'columns';
  return [
    { names: OF_RESULTS, when: isOfColumns, ...ofColumns },
    { names: OF_RESULTS, when: hasNone, ...ofRowless },
    { names: ['timeout'], when: isOfColumns, ...ofColumns, isTuning: true },
    { names: ['timeout'], when: hasNone, ...ofRowless, isTuning: true },
    {
      names: ['cache'],
      when: victim !== 'endpoint',
      of: `victim ${victim}, whose answers are kept in the run alone`,
      instead: '--victim endpoint',
      isTuning: true,
    },
  ];
}

/** True if the data set is read from its own files, not from the run that is asked about. */
function isNamed({ tables, examples, connection, mutants, compositions }: Omit<GivenToAsk, 'victim'>): boolean {
  return tables !== null || examples !== null || connection !== null || (mutants === null && compositions === null);
}

const ofRunsData = (given: Omit<GivenToAsk, 'victim'>): IdleOptions => ({
  names: ['dataset', 'strict', 'readings'],
  when: !isNamed(given),
  of: 'the data set that the run holds',
  instead: '--tables and --examples',
});

/** Of what `attack` and `attack prepare` plan. */
export function idleInPlan(
  given: Omit<GivenToAsk, 'victim'> & { readonly candidates: string | null },
): readonly IdleOptions[] {
  const { candidates, mutants } = given;
  return [
    {
      names: ['sample', 'linkedKeys', 'abbreviate', 'addPosition', 'keepStar'],
      when: candidates === null,
      of: 'an attack without candidates',
      instead: '--candidates',
    },
    {
      names: ['seeds', 'strategy'],
      when: candidates === null && mutants === null,
      of: 'compositions, of which all are asked',
      instead: '--candidates or --mutants',
    },
    ofRunsData(given),
  ];
}

/** Of `attack`. */
export function idleInAttack(
  given: GivenToAsk & { readonly candidates: string | null; readonly strategy: AttackStrategy },
): readonly IdleOptions[] {
  const when = given.strategy === 'random';
  return [
    ...idleInPlan(given),
    ...idleInScoring(given, isNamed(given)),
    {
      names: ['budget'],
      when,
      of: 'the strategy random, which draws without a search',
      instead: 'a --strategy that searches',
    },
  ];
}

/** Of `consistency`. */
export function idleInConsistency(given: GivenToAsk): readonly IdleOptions[] {
  const { mutants, victim } = given;
  return [
    {
      names: ['compareValues', 'shrinkQuestions'],
      when: mutants === null,
      of: 'a run without mutants',
      instead: '--mutants',
    },
    {
      names: ['shrinkQuestions'],
      when: !entryOf(victim).traits.isAskedOn,
      of: `victim ${victim}, which can’t be asked further questions`,
      instead: 'a victim that can be asked',
    },
    ofRunsData(given),
    ...idleInScoring(given, isNamed(given)),
  ];
}

interface GivenToEvaluate extends GivenData {
  readonly gold: string | null;
  readonly compat: readonly CompatName[];
  readonly mode: ResultMode;
}

/** Formats that say where the schemas of gold queries in a file are: in a tables.json, or in the databases. */
const NAMES_SCHEMAS: ReadonlySet<DatasetFormat> = new Set(['spider', 'sqlite']);

/** Of `evaluate`. */
export function idleInEvaluate(given: GivenToEvaluate, metrics: readonly MetricName[]): readonly IdleOptions[] {
  const { gold, examples, dataset, compat, mode } = given;
  const of = `the metrics ${metrics.join(', ')}`;
  const executes = metrics.includes('execution') || metrics.includes('suite');
  const isOfBird = compat.includes('bird') && metrics.includes('execution');
  // What the default mode says, or an evaluator of another metric, changes nothing anywhere.
  const ofResults = [
    ...(PUBLISHED_MODES.some((name) => compat.includes(name)) ? ['compat'] : []),
    ...(mode === EVALUATE_DEFAULTS.mode ? [] : ['mode']),
    ...['floatTolerance', 'plugValues', 'dropDistinct'],
  ];
  const ofLinks = { of: 'the metric linking alone', instead: 'a metric of pairs of queries to --metrics' };
  const isOfLinks = metrics.every((name) => name === 'linking');
  const ofGoldFile = { when: gold !== null && examples === null && !isOfLinks, of: 'gold queries in a file' };
  return [
    { names: ofResults, when: !executes, of, instead: '--databases or --suite, and execution or suite to --metrics' },
    {
      names: ['rVes'],
      when: !isOfBird,
      of: 'an evaluation without BIRD’s execution',
      instead: '--compat bird and --databases',
    },
    { names: ['links', 'predictedLinks'], when: !metrics.includes('linking'), of, instead: 'linking to --metrics' },
    { names: ['suite', 'explain'], when: !metrics.includes('suite'), of, instead: '--suite, and suite to --metrics' },
    { names: ['syntheticDatabases'], when: !metrics.includes('execution'), of, instead: 'execution to --metrics' },
    idleSynthetic(given),
    { names: ['gold', 'predictions', 'alternativeGolds', 'compare', 'allowBadGold'], when: isOfLinks, ...ofLinks },
    { names: ['strict'], ...ofGoldFile, instead: '--examples' },
    ...(NAMES_SCHEMAS.has(dataset) ? [] : [{ names: ['dataset'], ...ofGoldFile, instead: '--examples' }]),
    { names: ['timeout'], when: !executes, of: `${of}, which execute nothing`, instead: '--databases', isTuning: true },
  ];
}

interface GivenToAudit extends Pick<GivenData, 'dataset' | 'databases'> {
  readonly predictions: readonly string[];
  readonly failOn?: readonly AuditClassName[];
}

/** Of `audit`. */
export function idleInAudit(given: GivenToAudit): readonly IdleOptions[] {
  const { dataset, databases, predictions, failOn = [] } = given;
  const when = isRowless(dataset, databases);
  // Without rows there are possible findings alone, which fail nothing.
  const unseen = failOn.find((name) => ['rows', 'either'].includes(AUDIT_CLASSES[name].needs));
  return [
    {
      names: ['failOn'],
      when: when && unseen !== undefined,
      of: `an audit without rows, which finds no ${unseen}`,
      instead: '--databases',
    },
    {
      names: ['failOn'],
      when: failOn.includes('predictions') && predictions.length === 0,
      of: 'an audit without predictions, which finds nothing wrong with them',
      instead: '--predictions',
    },
    { names: ['timeout'], when, of: WITHOUT_ROWS, instead: '--databases', isTuning: true },
  ];
}

/** Of `verify`, by the run that is verified. */
export function idleInVerify({ command, settings }: RunManifest): readonly IdleOptions[] {
  const isOfMutants = command === 'mutate';
  return [
    {
      names: ['databases', 'syntheticDatabases'],
      when: isOfMutants,
      of: 'mutants, which are executed on the databases of their run',
      instead: 'a run of augment',
    },
    {
      names: ['databases'],
      when: !isOfMutants && settings['materialize'] !== 'views',
      of: 'a run that did not write views of them',
      instead: 'a run of augment with --materialize views',
    },
  ];
}

/** Of `suite build`. */
export function idleInSuite({
  dataset,
  databases,
  data,
}: Pick<GivenData, 'dataset' | 'databases'> & { readonly data: string }): readonly IdleOptions[] {
  return [
    {
      names: ['data'],
      when: data === 'observed' && isRowless(dataset, databases),
      of: 'schemas without rows to observe',
      instead: '--databases, or --data declared',
    },
  ];
}

/** Of `compose`. */
export function idleInCompose({ verify }: { readonly verify: boolean }): readonly IdleOptions[] {
  return [
    {
      names: ['allowEmpty'],
      when: !verify,
      of: 'a run that executes nothing and so finds no empty result',
      instead: 'no --no-verify',
    },
  ];
}

/** Of `identifiers`. */
export function idleInIdentifiers({
  examples,
  connection,
}: Pick<GivenData, 'examples' | 'connection'>): readonly IdleOptions[] {
  return [
    {
      names: ['strict'],
      when: examples === null && connection === null,
      of: 'schemas without questions, of which no record is left out',
      instead: '--examples',
    },
  ];
}
