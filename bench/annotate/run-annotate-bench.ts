import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { projectAgreement } from '../../src/annotate/agreement/agreement-report.js';
import type { Answer, ChunkProgress } from '../../src/annotate/annotation.js';
import { AnnotationProject } from '../../src/annotate/project/annotation-project.js';
import { createAnnotationApp } from '../../src/annotate/server/annotation-app.js';
import { PageAssets } from '../../src/annotate/server/page-assets.js';
import { ConfigError } from '../../src/errors.js';
import { quantile } from '../../src/report/statistics/bootstrap.js';
import type { FigureTable } from '../bench-figures.js';
import type { BenchOutput } from '../run-bench.js';
import { makeLargeProject } from './large-project.js';

/** Issue 7: longest time of a page action on the server, in milliseconds. */
const GOAL_MS = 100;

const HOST = '127.0.0.1';

interface Action {
  readonly name: string;
  readonly as: 'Ada' | 'Rita';
  readonly method?: 'PUT';
  /** Path and body of one round. */
  readonly request: (round: number) => { readonly path: string; readonly body?: unknown };
}

type App = ReturnType<typeof createAnnotationApp>;

function positive(text: string, option: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new ConfigError(`option --${option} is wrong: a whole number above 0 is expected`, { fix: 'Such as 1000.' });
}

/** Ids that Ada has not answered, spread over the project. */
function openItems(project: AnnotationProject, chunks: readonly ChunkProgress[]): readonly string[] {
  const open = chunks.filter(({ done, drafts, items }) => done + drafts < items);
  return open.flatMap(({ chunk }) =>
    project
      .itemsOf('Ada', chunk)
      .filter(({ state }) => state === null)
      .map(({ id }) => id),
  );
}

function actionsOf(project: AnnotationProject): readonly Action[] {
  const chunks = project.chunksOf('Ada');
  const ids = openItems(project, chunks);
  const reviewed = project.disagreements().map(({ itemId }) => itemId);
  const pick = <T>(values: readonly T[], round: number): T => values[(round * 7919) % values.length]!;
  const itemPath = (id: string): string => `/api/items/${encodeURIComponent(id)}`;
  const decision = (round: number): Answer => ({
    state: 'done',
    accepted: [],
    written: [],
    comment: `round ${round}`,
    flagged: false,
  });
  return [
    { name: 'sign in, progress and pace', as: 'Ada', request: () => ({ path: '/api/me' }) },
    { name: 'list of chunks', as: 'Ada', request: () => ({ path: '/api/chunks' }) },
    {
      name: 'list of a chunk',
      as: 'Ada',
      request: (round) => ({ path: `/api/chunks/${pick(chunks, round).chunk}/items` }),
    },
    { name: 'open an item', as: 'Ada', request: (round) => ({ path: itemPath(pick(ids, round)) }) },
    { name: 'show its scores', as: 'Ada', request: (round) => ({ path: `${itemPath(pick(ids, round))}/scores` }) },
    {
      name: 'save an answer',
      as: 'Ada',
      method: 'PUT',
      request: (round) => ({
        path: `${itemPath(ids[round]!)}/answer`,
        body: { answer: decision(round), baseRevision: 0 },
      }),
    },
    { name: 'list to review', as: 'Rita', request: () => ({ path: '/api/review' }) },
    {
      name: 'open an item to review',
      as: 'Rita',
      request: (round) => ({ path: `/api/review/${encodeURIComponent(pick(reviewed, round))}` }),
    },
    {
      name: 'save a decision',
      as: 'Rita',
      method: 'PUT',
      request: (round) => ({
        path: `/api/review/${encodeURIComponent(reviewed[round % reviewed.length]!)}`,
        body: { answer: decision(round), baseRevision: Math.floor(round / reviewed.length) },
      }),
    },
  ];
}

/** Milliseconds of one request from its headers to its whole answer. */
async function timeOf(app: App, action: Action, token: string, round: number): Promise<number> {
  const { path, body } = action.request(round);
  const headers = { host: HOST, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const init = { method: action.method ?? 'GET', headers };
  const start = performance.now();
  const response = await app.request(
    `http://${HOST}${path}`,
    body === undefined ? init : { ...init, body: JSON.stringify(body) },
    {},
  );
  const text = await response.text();
  const time = performance.now() - start;
  if (response.status !== 200) throw new Error(`${action.name}: ${response.status} ${text}`);
  return time;
}

function openApp(project: AnnotationProject, folder: string): App {
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  return createAnnotationApp(project, {
    assets: PageAssets.load(folder),
    guidelines: '',
    hosts: new Set([HOST]),
    onFault: (error) => {
      throw error;
    },
  });
}

async function measure(
  project: AnnotationProject,
  tokens: ReadonlyMap<string, string>,
  rounds: number,
  { output, app }: { readonly output: BenchOutput; readonly app: App },
): Promise<boolean> {
  let holds = true;
  const rows: Record<string, FigureTable['rows'][string]> = {};
  for (const action of actionsOf(project)) {
    const times: number[] = [];
    const before = process.cpuUsage();
    for (let round = 0; round < rounds; round++) times.push(await timeOf(app, action, tokens.get(action.as)!, round));
    const { user, system } = process.cpuUsage(before);
    times.sort((a, b) => a - b);
    const [median, high, cpu] = [quantile(times, 0.5), quantile(times, 0.95), (user + system) / 1000 / rounds];
    holds &&= high < GOAL_MS;
    const cells = [median, high, cpu].map((ms) => ms.toFixed(1).padStart(8)).join('');
    output.print(`${action.name.padEnd(28)}${cells}${high < GOAL_MS ? '' : '  over the goal'}`);
    rows[action.name.replace(/\W+/g, '-')] = { action: action.name, median, high, cpu };
  }
  output.record(figureTable(rows));
  return holds;
}

function figureTable(rows: FigureTable['rows']): FigureTable {
  return {
    id: 'annotate',
    title: 'Actions of the annotation page',
    about:
      'Milliseconds on the server for each action of the page, on a project of 50,000 items of which half are answered twice.',
    columns: {
      action: { head: 'action' },
      median: { head: 'median, ms', decimals: 1 },
      high: { head: '95th percentile, ms', decimals: 1 },
      cpu: { head: 'CPU, ms', decimals: 1 },
    },
    rows,
  };
}

/**
 * Times what the server does for each action of the page, on a project of 50,000 items of which half are answered twice.
 * Fails where 5 % of the rounds of an action take longer than the goal.
 */
export async function runAnnotateBench(args: readonly string[], output: BenchOutput): Promise<boolean> {
  const { print, tell } = output;
  const { values } = parseArgs({
    args: [...args],
    options: { items: { type: 'string', default: '50000' }, rounds: { type: 'string', default: '100' } },
  });
  const [items, rounds] = [positive(values.items, 'items'), positive(values.rounds, 'rounds')];
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-bench-'));
  try {
    const file = join(folder, 'project.db');
    tell(`making a project of ${items} items …`);
    const tokens = makeLargeProject(file, items);
    const project = AnnotationProject.open(file);
    try {
      print(`${items} items, ${rounds} rounds; ms: median, 95%, CPU; goal: 95% under ${GOAL_MS}`);
      const holds = await measure(project, tokens, rounds, { output, app: openApp(project, folder) });
      const start = performance.now();
      projectAgreement(project);
      print(`agreement of all answers, no page action: ${((performance.now() - start) / 1000).toFixed(1)} s`);
      return holds;
    } finally {
      project.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
