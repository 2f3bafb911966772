import { existsSync } from 'node:fs';
import { readRunManifest } from './run-folder.js';

/** Checks whether a folder holds anything but a run that was stopped, which goes on there. */
function isTaken(folder: string): boolean {
  if (!existsSync(folder)) return false;
  try {
    return readRunManifest(folder).complete;
  } catch {
    return true;
  }
}

/** The first of `name`, `name-2`, `name-3`, … that a run can have: not there yet, or a run that was stopped. */
export function freeRunFolder(name: string): string {
  if (!isTaken(name)) return name;
  let number = 2;
  while (isTaken(`${name}-${number}`)) number++;
  return `${name}-${number}`;
}
