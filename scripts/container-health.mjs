// HEALTHCHECK of the container: where perturbql serves a page in it, the page has to answer. Any other command is healthy
// until it ends.
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';

const PORTS = { serve: '4747', view: '4748' };

/** The arguments of a process; none where it has ended meanwhile. */
function argumentsOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** The port that a command line of perturbql serves on; undefined where it serves nothing. */
function portOf(args) {
  const program = args.findIndex((arg) => /(?:perturbql|cli\/main\.js)$/.test(arg));
  const command = Object.keys(PORTS).find(
    (name) => program !== -1 && args.slice(program + 1, program + 3).includes(name),
  );
  if (command === undefined) return undefined;
  const at = args.findIndex((arg) => /^--port(?:=|$)/.test(arg));
  return at === -1 ? PORTS[command] : (args[at].split('=')[1] ?? args[at + 1]);
}

const ports = readdirSync('/proc')
  .filter((name) => /^\d+$/.test(name))
  .flatMap((pid) => portOf(argumentsOf(pid)) ?? []);
for (const port of new Set(ports)) {
  // Any answer will do: without a link the page refuses, with 4xx.
  const { status } = await globalThis.fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' });
  if (status >= 500) process.exitCode = 1;
}
