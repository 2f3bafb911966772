import { afterAll, expect, it } from 'vitest';
import { EXAMPLES } from '../e2e/example-data.js';
import { makeTempFolder, runCli } from '../e2e/run-cli.js';

const temp = makeTempFolder();
afterAll(() => temp.remove());

const ROWS = ['--databases', `${EXAMPLES}/database`];
const REMOTE = [...ROWS, '--port', '0', '--host', '0.0.0.0'];

it.each([
  [[...ROWS, '--reward', 'execution + 0.1*beauty'], /there is no part "beauty"/, /suite \+ 0\.1\*exact/],
  [[], /no databases are given/, /--variants/],
  [[...ROWS, '--reward', 'suite'], /suite/, /--suite/],
  [[...ROWS, '--variants', 'nowhere'], /nowhere/, /./],
  [[...ROWS, '--port', '70000'], /a port is at most 65535/, /--help/],
  [[...ROWS, '--token-env', 'HOME'], /option --token-env is of no use to JSON lines/, /--port/],
  [REMOTE, /0\.0\.0\.0 can be reached from other machines/, /--token-env/],
  [[...REMOTE, '--token-env', 'NO_SUCH_TOKEN'], /NO_SUCH_TOKEN holds no token/, /16 to 256/],
])('serve rewards refuses %j before it listens', async (args, message, fix) => {
  const { code, stdout, stderr } = await runCli(['serve', 'rewards', ...args], { cwd: temp.path });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(message);
  expect(stderr.split('fix:')[1]).toMatch(fix);
});
