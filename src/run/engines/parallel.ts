import { type Engine, shellLine, shellWord } from './engine.js';

/** GNU parallel: `PARALLEL`, or its profile, says on which hosts (`--sshlogin`) and how many at a time. */
export const parallel: Engine = {
  install: 'GNU parallel (parallel)',
  plan: ({ command, indexes, count, cwd }) => {
    const task = `cd ${shellWord(cwd)} && ${shellLine(command)} --shard {}/${count}`;
    const args = ['--line-buffer', '--tag', task];
    const stdin = indexes.map((index) => `${index}\n`).join('');
    return {
      files: {},
      start: { program: 'parallel', args, stdin },
      lines: [`printf '%s\\n' ${indexes.join(' ')} | ${shellLine(['parallel', ...args])}`],
    };
  },
};
