import { z } from 'zod';
import { defineCommand } from './command.js';
import { text } from '../options/option-field.js';
import { CHECK_OPTIONS, DATASET_OPTIONS, SCORING_OPTIONS, scoringOf } from './shared-options.js';

/** `perturbql attack score`. */
export const command = defineCommand({
  options: z.object({
    predictions: text(
      'file',
      'predictions by the ids of the inputs, JSON lines of {id, sql} or as evaluate reads them',
    ),
    out: text('dir', 'folder of the report (default: RUN/scores/ and the predictions’ file name)').exactOptional(),
    databases: DATASET_OPTIONS.databases,
    connection: DATASET_OPTIONS.connection,
    ...SCORING_OPTIONS,
    ...CHECK_OPTIONS,
  }),
  argument: { name: '<run>', description: 'folder that attack prepare wrote' },
  example: 'perturbql attack score RUN --predictions predictions.jsonl',
  onInterrupt: 'pauses',
  async run(given, { args: [run = ''], host, flags }) {
    const [{ scoreAttack, scoreFolder }, { attackOutput, checksOf }] = await Promise.all([
      import('../measure/attack/prepare-attack.js'),
      import('./attack-result.js'),
    ]);
    const { predictions, databases, connection } = given;
    const checks = checksOf(given);
    // The run knows its databases, and those of the configuration file may be others'; a connection it does not keep.
    const isMoved = flags.has('databases') && databases !== null;
    const changed = { ...(isMoved && { databases }), ...(connection !== null && { connection }) };
    const out = given.out ?? scoreFolder(run, predictions);
    return attackOutput(
      await scoreAttack({ ...scoringOf(given, flags), run, predictions, out, changed }, host),
      out,
      checks,
    );
  },
});
