import { statSync } from 'node:fs';
import { z } from 'zod';
import { InputFormatError } from '../errors.js';
import { fileWithin } from '../regular-file.js';
import { checkRecord, loadText, parseJson } from '../formats/json-file.js';

/** A kind of `report.json` that later commands read. */
export interface StoredReport<R> {
  /** The command that wrote it: "attack" of `perturbql attack`. */
  readonly command: string;
  /** In words: "an attack". */
  readonly what: string;
  readonly format: string;
  readonly version: number;
  readonly schema: z.ZodType<R>;
  /** Keys of version 0.1.0 under those of today. */
  readonly oldKeys: Readonly<Record<string, string>>;
  /** The way to make a report of this version. */
  readonly again: string;
}

const heading = z.object({ format: z.string(), version: z.number() });

/** JSON with keys of an older form of a file under the names of today, at any depth; values are kept. */
function renameKeys(json: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(json)) return json.map((value) => renameKeys(value, names));
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => [names.get(key) ?? key, renameKeys(value, names)]),
  );
}

/** The report of a run folder; another path is the report's own. */
export const reportFile = (path: string): string => fileWithin(path, 'report.json');

/**
 * Reads the report of a run: its folder, or the file itself.
 * @throws InputFormatError where there is none, it is another program's or another version's, or a field is wrong
 */
export function loadReport<R>(path: string, stored: StoredReport<R>): R {
  const file = reportFile(path);
  const fix = `Name a folder that \`perturbql ${stored.command}\` wrote and finished, or the report.json in it.`;
  const refuse = (message: string, repair: string): never => {
    throw new InputFormatError(message, { where: { file }, fix: repair });
  };
  if (statSync(file, { throwIfNoEntry: false }) === undefined) refuse('there is no report', fix);
  const json = renameKeys(parseJson(loadText(file), file), new Map(Object.entries(stored.oldKeys)));
  const { format, version } = heading.safeParse(json).data ?? {};
  if (format !== stored.format) refuse(`this is not the report of ${stored.what}`, fix);
  if (version !== stored.version) {
    const again = `${stored.again} again with this version: answers that it stored are not asked for again.`;
    refuse(`this report has format version ${version}, this perturbql reads version ${stored.version}`, again);
  }
  return checkRecord(stored.schema, json, { file, id: 'report' }, fix);
}
