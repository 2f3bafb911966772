import { countNoun, formatCount } from '../counts.js';
import { join } from 'node:path';
import { z } from 'zod';
import type { PrepareOutcome } from '../measure/attack/prepare-attack.js';
import { MATERIALIZE_MODES } from '../variants/databases/database-change.js';
import { givenTemplate } from '../victims/kinds/outside-model.js';
import { defineCommand } from './command.js';
import { checkIdle } from '../options/given-options.js';
import { choice, flag } from '../options/option-field.js';
import { idleInPlan } from './idle-options.js';
import { ATTACK_PLAN_OPTIONS, CANDIDATES_FIX, PERTURB_OPTIONS, requireSource, seedsOf } from './shared-options.js';
import { VICTIM_OPTIONS } from './victim-options.js';

function renderPrepared({ questions, folders, examples, leftOut, fresh }: PrepareOutcome, out: string): string[] {
  const [first = '', last = ''] = [folders[0], folders.at(-1)];
  return [
    `${fresh ? '' : 'already complete: '}${countNoun(questions, 'question')} of ${countNoun(examples, 'example')}`,
    ...leftOut.map(({ reason, examples: count }) => `left out: ${countNoun(count, 'example')}, ${reason}`),
    `  ${join(out, 'inputs', 'questions.jsonl')}`,
    `  ${join(out, 'inputs', first)} to ${last}: the same in Spider’s format, ${formatCount(folders.length)} folders`,
    `Write a line {"id": …, "sql": …} for each, then: perturbql attack score ${out} --predictions FILE`,
  ];
}

/** `perturbql attack prepare`. */
export const command = defineCommand({
  options: z.object({
    ...ATTACK_PLAN_OPTIONS,
    ...PERTURB_OPTIONS,
    promptTemplate: VICTIM_OPTIONS.promptTemplate,
    segments: flag('inputs have the sub-sentences of their questions, {text, start, end} each'),
    materialize: choice(
      MATERIALIZE_MODES,
      'how',
      'databases of the perturbed inputs: a copy each, scripts of TEMP views over the originals, or none',
    ).default('none'),
  }),
  example:
    'perturbql attack prepare --tables examples/tables.json --examples examples/dev.json --databases examples/database --candidates CANDIDATES --out RUN',
  onInterrupt: 'pauses',
  async run({ promptTemplate, seeds, ...plan }, { host, flags }) {
    const { candidates, mutants, compositions } = plan;
    requireSource({ candidates, mutants, compositions }, CANDIDATES_FIX);
    checkIdle(idleInPlan(plan), flags, host);
    const options = { ...plan, ...givenTemplate(promptTemplate, plan.segments), seeds: seedsOf(seeds) };
    const { prepareAttack } = await import('../measure/attack/prepare-attack.js');
    return { lines: renderPrepared(await prepareAttack(options, host), options.out) };
  },
});
