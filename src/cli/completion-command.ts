import { z } from 'zod';
import { defineCommand } from './command.js';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** `perturbql completion`. */
export const command = defineCommand({
  options: z.object({}),
  argument: { name: '<shell>', description: `one of ${SHELLS.join(', ')}`, choices: SHELLS },
  example: 'perturbql completion bash',
  readsConfig: false,
  async run(_, { args: [shell] }) {
    const [{ completionScript }, { COMMANDS }] = await Promise.all([
      import('./shell-completion.js'),
      import('./commands.js'),
    ]);
    return { lines: [await completionScript(z.enum(SHELLS).parse(shell), COMMANDS)] };
  },
});
