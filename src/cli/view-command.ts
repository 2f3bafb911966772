import { once } from 'node:events';
import { z } from 'zod';
import { createToken } from '../http/access-token.js';
import { hostNamesOf, LOOPBACK, serveLocally, untilTold } from '../http/local-server.js';
import { findRuns } from '../report/view/find-runs.js';
import { createRunsApp } from '../report/view/runs-app.js';
import { portOption } from './number-options.js';
import type { RawOptions } from './options.js';
import { parseOptions } from './run-context.js';

const schema = z.object({ port: portOption });

/** `perturbql view`. */
export async function run(raw: RawOptions, folder = '.'): Promise<void> {
  const { port } = parseOptions(schema, raw);
  const { root, runs } = findRuns(folder);
  const [signal, token] = [untilTold(), createToken()];
  const onFault = (error: unknown): void => void process.stderr.write(`fault: ${String(error)}\n`);
  const app = createRunsApp({ folder: root, token, hosts: hostNamesOf(LOOPBACK), onFault });
  const server = await serveLocally(app, LOOPBACK, port);
  try {
    console.log(`${runs.length} ${runs.length === 1 ? 'run' : 'runs'} below ${root}: ${server.url}/${token}/`);
    process.stderr.write('Ctrl+C ends it.\n');
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    await server.close();
  }
}
