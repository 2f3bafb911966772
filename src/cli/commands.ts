import type { Command, CommandEntry } from './command.js';

/** Every command with what it does; its object is in a file of its own, `<name>-command.ts`. */
const SUMMARIES: Readonly<Record<string, string>> = {
  demo: 'run augment on the packaged examples, into a new folder',
  init: 'find the data in a folder and write perturbql.config.json',
  view: 'serve one local page over all runs in a folder',
  identifiers: 'show how the identifiers of a schema are read, unsure ones first',
  candidates: 'decide RPL and ADD candidates for the columns of a data set',
  augment: 'write a training set with one RPL and one ADD variant of each example',
  'publish-dataset': 'write a run as a Hugging Face data set folder with its card',
  verify: 'execute the gold SQL of a perturbed or mutated data set and compare with the originals',
  attack: 'ask a model about perturbed tables and measure how far it falls',
  'attack prepare': 'write the questions of an attack for a model that runs anywhere',
  'attack score': 'score the predictions that a model made for prepared questions',
  compare: 'compare two attacks, with paired tests',
  compose: 'compose new questions and gold queries from parts of others: CG-SUB and CG-APP of Spider-CG',
  mutate: 'reword questions and change schemas in ways that keep the answer or remove it',
  split: 'split questions into sub-sentences that each express whole clauses of a query',
  consistency: 'ask a model about mutants and measure how often its prediction changes although it must not',
  'consistency compare': 'compare consistency runs of several models: good, neutral and bad from three on',
  evaluate: 'score predictions against gold SQL: exact match, execution, test suites, schema linking',
  'serve rewards': 'score predictions of a model in training: JSON lines on standard input, rewards on standard output',
  audit: 'find gold queries that can’t be trusted, and say why, before you train or score on them',
  'suite build': 'distill databases that distinguish gold queries from wrong ones: test-suite accuracy',
  'suite info': 'show what a suite holds, distinguishes and misses',
  'suite verify': 'check a suite on this machine: its files, and the result of every gold query on its databases',
  'suite unpack': 'write a suite’s databases as Spider’s own evaluators read them',
  'suite transfer': 'transfer a suite to perturbed variants by renaming and adding columns, without building it again',
  'annotate init': 'make an annotation project from the candidates of a run',
  'annotate invite': 'add a person to a project, or renew their link',
  'annotate serve': 'serve the page that annotators work in, on this machine',
  'annotate status': 'show what a project holds and how far everyone is',
  'annotate agreement': 'measure how far annotators agree: Cohen, Fleiss, Krippendorff',
  'annotate export': 'write annotations: ADVETA’s layout, JSON lines, CSV, Label Studio, Argilla',
  'annotate import': 'read annotations into a project, or make a project from them',
  merge: 'merge the shards of a run: the same bytes as a run in one piece',
  missing: 'name the shards of a run that are absent or broken, as an array expression',
  stats: 'count candidates as the paper’s Table 1 does',
  score: 'explain the decision for pairs of names',
  'index build': 'build an index of tables to retrieve from',
  'index info': 'show what an index holds and how it was built',
  'index query': 'show the tables that a table description retrieves',
  'models list': 'list embedded and pulled models, which are in use, and others worth pulling',
  'models pull': 'fetch a judge, an encoder or word vectors: from a hub, a URL or a path',
  'models verify': 'check every file of the models against its manifest',
  'models use': 'write the choice of a model to the configuration file',
  doctor: 'check Node, native modules, models and index, and say how to fix what is wrong',
  list: 'list recipes, stages and settings',
  completion: 'print a script that completes commands and options in a shell',
};

/** Names of an earlier version, read until the next one. */
const ALIASES: Readonly<Record<string, string>> = { 'suite transfer': 'suite carry' };

/** The file of a command is found by its name, at run time: bundlers are not to look for it. */
function load(name: string): Promise<{ readonly command: Command }> {
  const file = `./${name.replaceAll(' ', '-')}-command.js`;
  return import(/* @vite-ignore */ file) as Promise<{ readonly command: Command }>;
}

/** The commands in the order in which they are shown; none is loaded before it is needed. */
export const COMMANDS: readonly CommandEntry[] = Object.entries(SUMMARIES).map(([name, summary]) => ({
  name,
  summary,
  ...(ALIASES[name] === undefined ? {} : { alias: ALIASES[name] }),
  load: () => load(name),
}));
