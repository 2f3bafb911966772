import { execFileSync, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EXAMPLE_DATA } from '../e2e/example-data.js';
import { BINARY, makeTempFolder, PROJECT, type StartedCli, startCli } from '../e2e/run-cli.js';
import { codeBlocks } from './markdown-pages.js';

const PAGE = 'docs/rewards.md';
const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']).status === 0;
if (!hasPython) process.stdout.write('no python3 from 3.10 on: the training loop of docs/rewards.md is not run\n');
const CLIENTS = 10_000;
// Node raises its own limit to this one.
const files = spawnSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).stdout.trim();
const hasFiles = files === 'unlimited' || Number(files) > CLIENTS + 500;
if (!hasFiles)
  process.stdout.write(`at most ${files} open files: the service is not asked by ${CLIENTS} clients at once\n`);

const temp = makeTempFolder();
let service: StartedCli;
let url = '';

/** The page's two commands, with a folder and port of this test's own. */
beforeAll(async () => {
  const [mutate = '', serve = ''] = (codeBlocks(PAGE, 'sh')[0] ?? '').split('\n');
  const words = (line: string): readonly string[] =>
    [...line.matchAll(/"([^"]*)"|(\S+)/g)]
      .map(([, quoted, bare]) => quoted ?? bare ?? '')
      .slice(1)
      .map((word) => word.replace(/^examples\//, `${EXAMPLE_DATA.databases}/../`).replace(/^RUN-/, `${temp.path}/RUN-`))
      .map((word) => (word === '4749' ? '0' : word));
  execFileSync(process.execPath, [BINARY, ...words(mutate), '--quiet']);
  service = startCli(words(serve), { cwd: temp.path });
  for await (const line of createInterface(service.child.stdout!)) {
    url = line.replace(/^rewards: |\/rewards$/g, '');
    break;
  }
}, 60_000);
afterAll(() => temp.remove());

it.runIf(hasPython)('the training loop of the page gives rewards', () => {
  const [script = ''] = codeBlocks(PAGE, 'python');
  expect(script).toContain('http://127.0.0.1:4749');
  const env = { ...process.env, PYTHONPATH: join(PROJECT, 'python/src') };
  // What the last batch's golds get is printed, too.
  const golds = 'print(reward_func([world.query for world in batch], [world.id for world in batch]))\n';
  const input = script.replace('http://127.0.0.1:4749', url) + golds;
  const said = execFileSync('python3', ['-'], { input, env, encoding: 'utf8' });
  const lines = said.trim().split('\n');
  expect(lines.slice(0, 3).map((line) => line.split(' ')[0])).toEqual(['0', '1', '2']);
  expect(JSON.parse(lines[3] ?? '')).toEqual(Array<number>(8).fill(1.1));
});

it('the request of the page gets the reply of the page', async () => {
  const [, request = ''] = codeBlocks(PAGE, 'sh');
  const body = /-d '(.*)'/.exec(request)?.[1] ?? '';
  const response = await fetch(`${url}/rewards`, { method: 'POST', body });
  expect(await response.text()).toBe(codeBlocks(PAGE, 'text')[0]?.trim());
});

it.runIf(hasFiles)('each of ten thousand clients at once gets an answer, or is told to come again', async () => {
  const body = JSON.stringify([{ db_id: 'community_garden', gold: 'SELECT 1', predictions: ['SELECT 1'] }]);
  const ask = async (): Promise<string> => {
    const response = await fetch(`${url}/rewards`, { method: 'POST', body });
    return `${response.status} ${/"(?:outcome|code)":"\w+"/.exec(await response.text())?.[0]}`;
  };
  const answers = new Set(await Promise.all(Array.from({ length: CLIENTS }, ask)));
  const [judged, sentAway] = ['200 "outcome":"correct"', '503 "code":"busy"'];
  expect(answers).toContain(judged);
  expect([...answers].filter((answer) => answer !== judged && answer !== sentAway)).toEqual([]);
  expect(await ask()).toBe(judged);
});

it('SIGTERM ends the service cleanly, and no process of it is left', async () => {
  const { pid } = service.child;
  const before = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean);
  service.child.kill('SIGTERM');
  expect((await service.result).code).toBe(0);
  expect(before.length).toBeGreaterThan(0);
  for (const child of before) expect(() => process.kill(Number(child), 0)).toThrow('ESRCH');
});
