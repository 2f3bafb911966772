// A command whose output comes in one piece when it ends, so that several can run at the same time.
import { spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Runs `npm` or `node` in the project's root; resolves to whether it ended well, what it printed, and its seconds. */
export function runCaptured(command, args) {
  const started = performance.now();
  return new Promise((resolve) => {
    // npm is a script on Windows, which only a shell starts.
    const child = spawn(command, args, {
      cwd: ROOT,
      shell: process.platform === 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = [];
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => output.push(text));
    child.on('error', (error) => output.push(`${error.message}\n`));
    child.on('close', (code) => {
      resolve({ isDone: code === 0, output: output.join(''), seconds: (performance.now() - started) / 1000 });
    });
  });
}
