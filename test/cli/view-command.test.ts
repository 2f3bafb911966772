import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { makeTempFolder, runCli, startCli } from '../e2e/run-cli.js';
import { writeManifest } from '../report/view/runs-fixture.js';

it('view prints a link to its page, and ends cleanly when it is told to', async () => {
  const temp = makeTempFolder();
  writeManifest(`${temp.path}/RUN`, 'attack');
  const { child, result } = startCli(['view', '--port', '0'], { cwd: temp.path });
  let link = '';
  for await (const line of createInterface(child.stdout!)) {
    link = /^1 run below .*: (http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}\/)$/.exec(line)?.[1] ?? '';
    break;
  }
  const page = await fetch(link);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<bdi>RUN</bdi>')]);
  child.kill('SIGTERM');
  expect((await result).code).toBe(0);
  temp.remove();
});

it.each([
  [['missing'], /missing is no folder/],
  [['--port', '70000'], /option --port is wrong: a port is at most 65535/],
])('view refuses %j', async (args, message) => {
  const temp = makeTempFolder();
  const { code, stderr } = await runCli(['view', ...args], { cwd: temp.path });
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  temp.remove();
});
