import { Buffer } from 'buffer';

/** What the stages use of Node's process. */
const process = { env: {} as Record<string, string | undefined>, platform: 'browser', versions: {}, cwd: () => '/' };

function setImmediate(task: () => void): void {
  setTimeout(task, 0);
}

export { Buffer, process, setImmediate };
