import { once } from 'node:events';
import { z } from 'zod';
import { defineCommand } from './command.js';
import { countNoun } from '../counts.js';
import { port } from '../options/option-field.js';

/** `perturbql view`. */
export const command = defineCommand({
  options: z.object({ port: port(4748) }),
  argument: { name: '[dir]', description: 'folder that the runs are in (default: this one)' },
  example: 'perturbql view',
  async run({ port: number }, { args: [folder = '.'] }) {
    const [
      { createToken },
      { hostNamesOf, LOOPBACK, serveLocally, untilTold },
      { findRuns, RunFiles },
      { createRunsApp },
    ] = await Promise.all([
      import('../http/access-token.js'),
      import('../http/local-server.js'),
      import('../report/view/find-runs.js'),
      import('../report/view/runs-app.js'),
    ]);
    const files = new RunFiles();
    const { root, runs } = findRuns(folder, files);
    const [signal, token] = [untilTold(), createToken()];
    const onFault = (error: unknown): void => void process.stderr.write(`fault: ${String(error)}\n`);
    const app = createRunsApp({ folder: root, token, hosts: hostNamesOf(LOOPBACK), onFault, files });
    const server = await serveLocally(app, LOOPBACK, number);
    try {
      console.log(`${countNoun(runs.length, 'run')} below ${root}: ${server.url}/${token}/`);
      process.stderr.write('Ctrl+C ends it.\n');
      if (!signal.aborted) await once(signal, 'abort');
    } finally {
      await server.close();
    }
  },
});
