import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { releaseLock, takeLock } from '../../src/run/process-lock.js';
import { builtModule, createFolder, ScriptProcess } from './run-fixture.js';

/** No process has this id. */
const DEAD = '999999999';
const [PROCESSES, ROUNDS, ROUND_MS] = [6, 150, 12];

/** Takes one lock after the other, each at the same moment as all other processes, and holds those that it gets. */
const TAKER = `
  import { writeSync } from 'node:fs';
  const { takeLock } = await import(process.argv[1]);
  const [folder, start, rounds, roundMs] = [process.argv[2], ...process.argv.slice(3).map(Number)];
  const won = [];
  for (let round = 0; round < rounds; round++) {
    while (Date.now() < start + round * roundMs);
    if (takeLock(folder + '/' + round + '.lock') === null) won.push(round);
  }
  writeSync(1, JSON.stringify(won) + '\\n');
  setInterval(() => undefined, 1000);`;

test('a dead process’s lock is taken over by one of many', async () => {
  const folder = createFolder();
  for (let round = 0; round < ROUNDS; round++) writeFileSync(join(folder, `${round}.lock`), DEAD);
  const args = [builtModule('run/process-lock.js'), folder, Date.now() + 1_000, ROUNDS, ROUND_MS].map(String);
  const takers = Array.from({ length: PROCESSES }, () => new ScriptProcess(TAKER, args));
  const lines = await Promise.all(takers.map((taker) => taker.nextLine()));
  const won = lines.flatMap((line) => JSON.parse(line ?? '[]') as number[]).sort((a, b) => a - b);
  expect(won).toEqual(Array.from({ length: ROUNDS }, (_, round) => round));
}, 60_000);

test('what was left by processes that were killed while they took it goes, and nothing else', () => {
  const folder = createFolder();
  const file = join(folder, '.lock');
  const alive = `.lock.${process.ppid}`;
  for (const name of [`.lock.${DEAD}`, '.lock.takeover', `.lock.takeover.${DEAD}`])
    writeFileSync(join(folder, name), DEAD);
  writeFileSync(join(folder, alive), String(process.ppid));
  for (const name of ['.lock.txt', '.lock.takeover.old', 'lock.1']) writeFileSync(join(folder, name), DEAD);
  expect(takeLock(file)).toBeNull();
  releaseLock(file);
  expect(readdirSync(folder).sort()).toEqual([alive, '.lock.takeover.old', '.lock.txt', 'lock.1'].sort());
});

test('a takeover that was killed is taken over, too', () => {
  const file = join(createFolder(), 'lock');
  for (const path of [file, `${file}.takeover`, `${file}.takeover.takeover`]) writeFileSync(path, DEAD);
  expect(takeLock(file)).toBeNull();
  expect(takeLock(file)).toBe(process.pid);
  releaseLock(file);
  expect(existsSync(file)).toBe(false);
});

test('the lock that another process has taken since is left to it', () => {
  const file = join(createFolder(), 'lock');
  expect(takeLock(file)).toBeNull();
  writeFileSync(file, '1');
  releaseLock(file);
  expect(readFileSync(file, 'utf8')).toBe('1');
});

test('a process that ends without giving its lock back leaves none', async () => {
  const folder = createFolder();
  const script = `
    const { takeLock } = await import(process.argv[1]);
    takeLock(process.argv[2]);
    process.exit(1);`;
  const taker = new ScriptProcess(script, [builtModule('run/process-lock.js'), join(folder, 'lock')]);
  expect(await taker.nextLine()).toBeNull();
  expect(readdirSync(folder)).toEqual([]);
});
