// Runs several scripts of package.json at a time, each on a core of its own: `node scripts/run-together.mjs check eslint`.
// What each prints comes in one piece when it ends. Exit code 1 where one of them fails.
import { runCaptured } from './run-captured.mjs';

async function run(name) {
  const { isDone, output } = await runCaptured('npm', ['run', '--silent', name]);
  process.stdout.write(`${name}: ${isDone ? 'passed' : 'failed'}\n`);
  process.stdout.write(output);
  return isDone;
}

const results = await Promise.all(process.argv.slice(2).map(run));
process.exitCode = results.every(Boolean) ? 0 : 1;
