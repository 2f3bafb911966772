import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Gives a finished temporary file its name, durably: fsync, rename, fsync of the folder. */
export async function commitFile(temporary: string, path: string): Promise<void> {
  await sync(temporary);
  await rename(temporary, path);
  await sync(dirname(path));
}

/** Writes a file so that after a crash there is either the old or the whole new one. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const temporary = `${path}.tmp`;
  const handle = await open(temporary, 'w');
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
  await commitFile(temporary, path);
}
