import { z } from 'zod';
import { scoreAttack, scoreFolder } from '../attack/score-attack.js';
import { parseChecks, showAttack } from './attack-result.js';
import { parseScoring } from './attack-scoring-options.js';
import { ConsoleHost } from './console-host.js';
import type { CommandResult, RawOptions } from './options.js';
import { parseOptions, withInterrupt } from './run-context.js';

const schema = z.object({
  predictions: z.string().min(1),
  out: z.string().min(1).optional(),
  databases: z.string().optional(),
  connection: z.string().optional(),
});

/** `perturbql attack score`. */
export async function run(raw: RawOptions, folder?: string): Promise<CommandResult> {
  const { predictions, out, databases, connection } = parseOptions(schema, raw);
  const [checks, scoring] = [parseChecks(raw), parseScoring(raw)];
  const changed = {
    ...(databases === undefined ? {} : { databases }),
    ...(connection === undefined ? {} : { connection }),
  };
  const to = out ?? scoreFolder(folder!, predictions);
  return withInterrupt(async (signal) => {
    const host = new ConsoleHost(signal);
    try {
      const outcome = await scoreAttack({ ...scoring, run: folder!, predictions, out: to, changed }, host);
      host.stop();
      return showAttack(outcome, to, checks);
    } finally {
      host.stop();
    }
  });
}
