import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CHARACTERS_PER_TOKEN, promptLength } from '../../src/chat/chat-asker.js';
import { createStages } from '../../src/create-stages.js';
import { ConfigError } from '../../src/errors.js';
import type { CandidateDecision } from '../../src/formats/artifacts/candidates.js';
import { loadDataset } from '../../src/formats/load-dataset.js';
import type { ProposedNames } from '../../src/llm/proposed-names.js';
import { loadProposalPrompt, renderProposalPrompt } from '../../src/llm/proposal-prompt.js';
import { RecordedProposer } from '../../src/llm/recorded-proposer.js';
import { planTables } from '../../src/variants/candidates/plan-tables.js';
import { runPipeline, type TableTask } from '../../src/pipeline.js';
import { parseSettings } from '../../src/recipes/settings.js';
import { StageResources } from '../../src/recipes/stage-resources.js';
import { createStageContext, NOOP_HOST } from '../../src/run/run-host.js';
import type { TargetColumn } from '../../src/stage.js';
import type { BenchOutput } from '../run-bench.js';
import { COMPARED_SOURCES, type ComparedSource } from './compared-sources.js';
import { compareWithPeople, loadPeopleNames, type PeopleNames } from './people-names.js';
import {
  rejectionFigures,
  renderFigures,
  type SourceResult,
  type SourcesReport,
  sourcesFigures,
} from './sources-report.js';

const SEED = 1;

/** The tables that proposals were recorded for, with those of their columns. */
async function recordedTasks(data: string, replay: string): Promise<readonly TableTask[]> {
  const spider = join(data, 'spider');
  const dataset = await loadDataset({
    dataset: 'spider',
    tables: join(spider, 'tables.json'),
    examples: join(spider, 'dev.json'),
    databases: join(spider, 'database'),
    connection: null,
    strict: true,
  });
  const recorded = new RecordedProposer(replay);
  const tasks = planTables(dataset, 'all').tasks.map((task) => ({
    ...task,
    columns: task.columns.filter((column) => recorded.knows({ target: task.target, column })),
  }));
  const found = tasks.filter(({ columns }) => columns.length > 0);
  if (found.length > 0) return found;
  const fix = 'Record proposals for columns of Spider dev.';
  throw new ConfigError('the proposals are for no column of the data set', { where: { file: replay }, fix });
}

const targetsOf = (tasks: readonly TableTask[]): readonly TargetColumn[] =>
  tasks.flatMap(({ target, columns }) => columns.map((column) => ({ target, column })));

interface Bench {
  readonly tasks: readonly TableTask[];
  readonly replay: string;
  readonly people: PeopleNames;
}

async function decide({ recipe }: ComparedSource, bench: Bench): Promise<readonly CandidateDecision[]> {
  const proposer = { kind: 'recorded', file: bench.replay } as const;
  const resources = new StageResources(parseSettings({}), recipe, { proposer });
  try {
    const decisions: CandidateDecision[] = [];
    const context = createStageContext(SEED, NOOP_HOST);
    for await (const result of runPipeline(bench.tasks, await createStages(resources), context)) {
      decisions.push(...result.decisions);
    }
    return decisions;
  } finally {
    await resources.dispose();
  }
}

/** What the recorded answers would have cost. */
async function costOf({ tasks, replay }: Bench): Promise<Pick<SourceResult, 'calls' | 'tokens'>> {
  const proposer = new RecordedProposer(replay);
  const template = loadProposalPrompt(null);
  const columns = targetsOf(tasks);
  let characters = 0;
  for (const column of columns) {
    const answer: ProposedNames | null = await proposer.propose(column, createStageContext(SEED, NOOP_HOST));
    characters += promptLength(renderProposalPrompt(column, template, false)) + JSON.stringify(answer).length;
  }
  return { calls: columns.length, tokens: Math.round(characters / CHARACTERS_PER_TOKEN) };
}

async function measure(source: ComparedSource, bench: Bench): Promise<SourceResult> {
  const before = process.cpuUsage();
  const decisions = await decide(source, bench);
  const { user, system } = process.cpuUsage(before);
  const columns = targetsOf(bench.tasks).map(({ target, column }): [string, string, string] => [
    target.dbId,
    target.table.originalName,
    target.table.columns[column]?.name ?? '',
  ]);
  const asksModel = source.recipe.rpl.sources.includes('llm');
  return {
    id: source.id,
    about: source.about,
    decisions,
    rpl: compareWithPeople(decisions, 'RPL', columns, bench.people),
    add: compareWithPeople(decisions, 'ADD', columns, bench.people),
    cpuSeconds: (user + system) / 1e6,
    ...(asksModel ? await costOf(bench) : { calls: 0, tokens: 0 }),
  };
}

/** Compares where names come from, on the columns that proposals of a language model were recorded for. */
export async function runSources(args: readonly string[], root: string, output: BenchOutput): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      replay: { type: 'string', default: join('bench', 'sources', 'proposals.jsonl') },
      data: { type: 'string', default: join('..', 'shared', 'data') },
      json: { type: 'boolean', default: false },
    },
  });
  const [data, replay] = [resolve(root, values.data), resolve(root, values.replay)];
  const tasks = await recordedTasks(data, replay);
  const bench = { tasks, replay, people: loadPeopleNames(join(data, 'adveta')) };
  const results: SourceResult[] = [];
  for (const source of COMPARED_SOURCES) {
    output.tell(`${source.id} …`);
    results.push(await measure(source, bench));
  }
  const report: SourcesReport = { columns: targetsOf(tasks).length, tables: tasks.length, results };
  const figures = [sourcesFigures(report), rejectionFigures(report)];
  output.print(values.json ? JSON.stringify(report) : figures.map(renderFigures).join('\n\n'));
  figures.forEach((table) => output.record(table));
}
