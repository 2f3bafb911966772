import { join } from 'node:path';
import { z } from 'zod';
import { prepareAttack } from '../attack/prepare-attack.js';
import { MATERIALIZE_MODES } from '../perturb/database/materialize-mode.js';
import { attackPlanSchema, requireCandidates, requireOut } from './attack-plan-options.js';
import { givenTemplate } from './attack-victim-options.js';
import { ConsoleHost } from './console-host.js';
import type { RawOptions } from './options.js';
import { parseOptions, withInterrupt } from './run-context.js';

const schema = attackPlanSchema.extend({
  materialize: z.enum(MATERIALIZE_MODES),
  promptTemplate: z.string().optional(),
});

/** `perturbql attack prepare`. */
export async function run(raw: RawOptions): Promise<void> {
  const { candidates, out, promptTemplate, ...plan } = parseOptions(schema, raw);
  const folder = requireOut(out);
  const template = givenTemplate(promptTemplate);
  const options = { ...plan, ...template, candidates: requireCandidates(candidates), out: folder };
  await withInterrupt(async (signal) => {
    const host = new ConsoleHost(signal);
    try {
      const { questions, folders, examples, leftOut, fresh } = await prepareAttack(options, host);
      host.stop();
      const [first = '', last = ''] = [folders[0], folders.at(-1)];
      const lines = [
        `${fresh ? '' : 'already complete: '}${questions} questions of ${examples} examples`,
        ...leftOut.map(({ reason, examples: count }) => `left out: ${count} examples, ${reason}`),
        `  ${join(folder, 'inputs', 'questions.jsonl')}`,
        `  ${join(folder, 'inputs', first)} to ${last}: the same in Spider’s format, ${folders.length} folders`,
        `Write a line {"id": …, "sql": …} for each, then: perturbql attack score ${folder} --predictions FILE`,
      ];
      for (const line of lines) console.log(line);
    } finally {
      host.stop();
    }
  });
}
