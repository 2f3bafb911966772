// Runs several scripts of package.json at a time, each on a core of its own: `node scripts/run-together.mjs check eslint`.
// What each prints comes in one piece when it ends. Exit code 1 where one of them fails.
import { spawn } from 'node:child_process';

const NPM = process.platform === 'win32' ? 'npm.cmd' : 'npm';

function run(name) {
  return new Promise((resolve) => {
    const child = spawn(NPM, ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'], shell: NPM !== 'npm' });
    const output = [];
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => output.push(text));
    child.on('error', (error) => output.push(`${error.message}\n`));
    child.on('close', (code) => {
      process.stdout.write(`${name}: ${code === 0 ? 'passed' : 'failed'}\n`);
      process.stdout.write(output.join(''));
      resolve(code === 0);
    });
  });
}

const results = await Promise.all(process.argv.slice(2).map(run));
process.exitCode = results.every(Boolean) ? 0 : 1;
