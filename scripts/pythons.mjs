// Which versions of Python this machine has.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';

const OLDEST = 10;

/** The minor version of a Python that can make environments: 11 of 3.11; null where it is none, or too old. */
export function minorOf(python) {
  try {
    const said = execFileSync(python, ['-c', 'import sys, venv, ensurepip; print(*sys.version_info[:2])'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [major, minor] = said.split(' ').map(Number);
    return major === 3 && minor >= OLDEST ? minor : null;
  } catch {
    return null;
  }
}

/** A program for each minor version from 3.10 on, oldest first: those of pyenv and of the path. */
export function findPythons() {
  const pyenv = join(process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'), 'versions');
  const kept = existsSync(pyenv) ? readdirSync(pyenv).map((name) => join(pyenv, name, 'bin/python3')) : [];
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((place) => {
    const names = existsSync(place) ? readdirSync(place).filter((name) => /^python3\.\d+$/.test(name)) : [];
    return names.map((name) => join(place, name));
  });
  const byMinor = new Map([...onPath, ...kept].map((python) => [minorOf(python), python]));
  byMinor.delete(null);
  return new Map([...byMinor].sort(([a], [b]) => a - b));
}
