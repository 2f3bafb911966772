import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { QueryProcess } from '../../../src/sql/execution/query-process.js';
import { QueryRunner } from '../../../src/sql/execution/query-runner.js';
import { createDatabase, NEVER, rowsOf, RUNAWAY } from './query-fixture.js';

const RUNNER = new URL('../../../dist/sql/execution/query-runner.js', import.meta.url).href;
const NEEDS_PROC = existsSync('/proc/self/stat') ? '' : ' (skipped: no /proc)';

/** A program of its own that uses the built runner. */
function startProgram(body: string) {
  const source = `
    import { QueryRunner } from ${JSON.stringify(RUNNER)};
    const { signal } = new AbortController();
    const runner = new QueryRunner({ jobs: 1 });
    ${body}`;
  return spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] });
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
      } catch {
        return false;
      }
    })
    .map(Number);
}

const isAlive = (pid: number): boolean => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 400 && !condition(); i += 1) await sleep(25);
  expect(condition()).toBe(true);
}

describe('the processes of a QueryRunner', () => {
  it('do not keep an idle program from ending', async () => {
    const { folder, file } = createDatabase('CREATE TABLE t (a); INSERT INTO t VALUES (1)');
    const program = startProgram(`
      const outcome = await runner.run({ file: ${JSON.stringify(file)}, sql: 'SELECT a FROM t' }, signal);
      process.stdout.write(outcome.kind);`);
    let said = '';
    program.stdout.on('data', (text: Buffer) => (said += text.toString()));
    const code = await new Promise((resolve) => program.once('close', resolve));
    expect({ code, said }).toEqual({ code: 0, said: 'rows' });
    rmSync(folder, { recursive: true });
  });

  it.skipIf(NEEDS_PROC !== '')(`end with a killed program, even within a query${NEEDS_PROC}`, async () => {
    const program = startProgram(`await runner.run({ file: null, sql: ${JSON.stringify(RUNAWAY)} }, signal);`);
    const parent = program.pid ?? 0;
    await until(() => childrenOf(parent).length === 1);
    await sleep(300);
    const [child = 0] = childrenOf(parent);
    expect(isAlive(child)).toBe(true);
    program.kill('SIGKILL');
    await until(() => !isAlive(child));
  });

  it.skipIf(NEEDS_PROC !== '')(`are gone after a time limit and after close()${NEEDS_PROC}`, async () => {
    const program = startProgram(`
      await runner.run({ file: null, sql: ${JSON.stringify(RUNAWAY)} }, signal, { timeoutMs: 200 });
      await runner.run({ file: null, sql: 'SELECT 1' }, signal);
      process.stdout.write('one');
      await new Promise((resolve) => setTimeout(resolve, 300));
      await runner.close();
      process.stdout.write('none');
      setTimeout(() => undefined, 5000);`);
    let said = '';
    program.stdout.on('data', (text: Buffer) => (said += text.toString()));
    await until(() => said === 'one');
    expect(childrenOf(program.pid ?? 0)).toHaveLength(1);
    await until(() => said === 'onenone');
    expect(childrenOf(program.pid ?? 0)).toEqual([]);
    program.kill('SIGKILL');
  });

  it.skipIf(NEEDS_PROC !== '')(`may be killed from outside: the next query starts another${NEEDS_PROC}`, async () => {
    const runner = new QueryRunner({ jobs: 1 });
    await runner.run({ file: null, sql: 'SELECT 1' }, NEVER);
    const outcome = runner.run({ file: null, sql: RUNAWAY }, NEVER);
    await sleep(50);
    for (const pid of childrenOf(process.pid)) process.kill(pid, 'SIGKILL');
    expect(await outcome).toEqual({
      kind: 'failed',
      at: 'process',
      message: 'the process that ran it died: it ended with SIGKILL',
    });
    expect(rowsOf(await runner.run({ file: null, sql: 'SELECT 1' }, NEVER))).toEqual([[1n]]);
    await runner.close();
  });

  it('may be ended while they start: the query was stopped, and the next one starts another', async () => {
    const queries = new QueryProcess(512);
    const limits = { timeoutMs: 10_000, maxRows: 10, maxBytes: 10_000 };
    const starting = queries.execute({ file: null, sql: 'SELECT 1' }, limits);
    await queries.kill();
    expect(await starting).toEqual({ kind: 'failed', at: 'process', message: 'the query was stopped' });
    expect(rowsOf(await queries.execute({ file: null, sql: 'SELECT 1' }, limits))).toEqual([[1n]]);
    await queries.kill();
  });

  it('have a built file to start from', () => {
    expect(existsSync(fileURLToPath(new URL('./query-child.js', RUNNER)))).toBe(true);
  });
});
