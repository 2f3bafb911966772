import { join } from 'node:path';
import { arrayExpression } from '../array-expression.js';
import { type Engine, shellLine, shellWord } from './engine.js';

/** A job array: Slurm's own defaults, and `SBATCH_…` variables, say where and with what it runs. */
export const slurm: Engine = {
  install: 'Slurm (slurm-wlm)',
  plan: ({ command, indexes, count, cwd, folder }) => {
    const file = join(folder, 'job.sh');
    const text = `#!/bin/sh
cd ${shellWord(cwd)} || exit 1
exec ${shellLine(command)} --shard "$SLURM_ARRAY_TASK_ID/${count}"
`;
    const logs = ['--output', join(folder, 'shard-%a.log')];
    const args = ['--wait', '--job-name', 'perturbql', '--array', arrayExpression(indexes), ...logs, file];
    return { files: { [file]: text }, start: { program: 'sbatch', args }, lines: [shellLine(['sbatch', ...args])] };
  },
};
