import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ConfigError } from '../errors.js';
import { readRunInputs } from '../variants/candidates/run-inputs.js';

/** A license text that goes along. */
interface LicenseFile {
  /** Name below `licenses/`. */
  readonly name: string;
  readonly text: string;
}

/** Under what the inputs of a run were given. */
export interface InputLicenses {
  /** A hub's identifier: "cc-by-sa-4.0"; "other" where none fits. */
  readonly id: string;
  /** How it is known. */
  readonly source: string;
  readonly files: readonly LicenseFile[];
}

const LICENSE_NAME = /^(?:licen[sc]e|copying)(?:[-._].*)?$/i;
const CARD_LICENSE = /^---\r?\n(?:.*\r?\n)*?license:\s*["']?([\w.+-]+)/;

/** A hub's identifiers for texts that begin so; the first that fits. */
const KNOWN: readonly (readonly [RegExp, string])[] = [
  [/Attribution-ShareAlike 4\.0/i, 'cc-by-sa-4.0'],
  [/Attribution-NonCommercial 4\.0/i, 'cc-by-nc-4.0'],
  [/Attribution 4\.0/i, 'cc-by-4.0'],
  [/CC0 1\.0/i, 'cc0-1.0'],
  [/Apache License\s+Version 2\.0/i, 'apache-2.0'],
  [/\bMIT License\b/i, 'mit'],
];

/** Folders in which a run's inputs lie; none where the run does not say. */
function inputFolders(run: string): readonly string[] {
  const { tables = null, examples = null, databases = null } = readRunInputs(run) ?? {};
  const places = [tables, examples, databases].flatMap((path) => path ?? []).filter((path) => existsSync(path));
  return [...new Set(places.map((path) => (statSync(path).isDirectory() ? path : dirname(path))))];
}

function licenseFilesIn(folder: string): readonly string[] {
  const names = readdirSync(folder, { withFileTypes: true });
  return names.flatMap((entry) => (entry.isFile() && LICENSE_NAME.test(entry.name) ? [join(folder, entry.name)] : []));
}

/** The license that a data set's own card names. */
function cardLicense(folder: string): string | null {
  const card = join(folder, 'README.md');
  return existsSync(card) ? (CARD_LICENSE.exec(readFileSync(card, 'utf8'))?.[1] ?? null) : null;
}

/** Names that differ where two folders have files of one name. */
function named(files: readonly string[]): readonly LicenseFile[] {
  const names = new Set<string>();
  return files.map((file) => {
    const own = basename(file);
    const name = names.has(own) ? `${basename(dirname(file))}-${own}` : own;
    names.add(name);
    return { name, text: readFileSync(file, 'utf8') };
  });
}

/**
 * The license of a run's inputs: as given, else as the card or license file next to them says; license files found there
 * and those given go along. Nothing is published without one.
 * @throws ConfigError where none is given and none is found
 */
export function findInputLicenses(run: string, given: string | null, givenFiles: readonly string[]): InputLicenses {
  const folders = inputFolders(run);
  const files = named([...givenFiles, ...folders.flatMap(licenseFilesIn)]);
  if (given !== null) return { id: given, source: 'as given by who published it', files };
  for (const folder of folders) {
    const id = cardLicense(folder);
    if (id !== null) return { id, source: 'as the card of the input says', files };
  }
  for (const { name, text } of files) {
    const id = KNOWN.find(([pattern]) => pattern.test(text))?.[1];
    if (id !== undefined) return { id, source: `as the input’s ${name} says`, files };
  }
  throw new ConfigError('it is not known under which license the inputs of this run were given', {
    where: { file: run },
    fix: 'Give --license with the hub’s word for it, such as cc-by-sa-4.0 for Spider, and its text with --license-file.',
  });
}
