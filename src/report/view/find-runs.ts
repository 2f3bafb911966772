import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { ConfigError } from '../../errors.js';
import { readRunManifest, type RunManifest } from '../../run/run-folder.js';
import { isPassedOver, readHead, type WalkedFolder, walkFolders } from '../../run/walk-folders.js';

/** What files hold, each read once as long as it stays as it is. */
export class KnownFiles<T> {
  readonly #read: (file: string) => T;
  readonly #known = new Map<string, { readonly stamp: string; readonly value: T }>();

  constructor(read: (file: string) => T) {
    this.#read = read;
  }

  /** @throws what reading throws; a file that could not be read is read again */
  of(file: string): T {
    const { mtimeMs, size } = statSync(file);
    const stamp = `${mtimeMs} ${size}`;
    const known = this.#known.get(file);
    if (known?.stamp === stamp) return known.value;
    const value = this.#read(file);
    this.#known.set(file, { stamp, value });
    return value;
  }
}

/** The summary at the top of a report page. */
interface PageSummary {
  /** The command that wrote it, "attack". */
  readonly kind: string;
  /** The subject of the page, in its own words: "victim baseline · examples dev.json". */
  readonly subject: string;
  /** The page's headline, which has the figure that matters most. */
  readonly headline: string;
}

/** More than most pages' style sheet and header, and more than any's; the rest of a page is not read. */
const HEAD_BYTES = [48 * 1024, 256 * 1024];

const EYEBROW = /<p class="eyebrow">perturbql ([a-z]+(?: [a-z]+)?)(?: · (.*?))?<\/p>\s*<h1>(.*?)<\/h1>/s;

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The text of markup that `html` made. */
function textOf(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => CHARACTERS[name] ?? '')
    .replace(/[ \n]+/g, ' ')
    .trim();
}

/** Reads the top of a page that `renderPage` made; null where the file is another page. */
function readPageSummary(file: string): PageSummary | null {
  for (const bytes of HEAD_BYTES) {
    const [, kind, subject = '', headline] = EYEBROW.exec(readHead(file, bytes)) ?? [];
    if (kind !== undefined && headline !== undefined)
      return { kind, subject: textOf(subject), headline: textOf(headline) };
  }
  return null;
}

/** A run, or a report page that stands alone. */
export interface FoundRun {
  /** The command that wrote it. */
  readonly kind: string;
  /** Its folder, or its page where that stands alone; relative to the folder looked through, with slashes. */
  readonly place: string;
  /** The subject of the run: the data set, and the victim if there is one. */
  readonly subject: string;
  /** sha256 of its examples; null where nothing tells. */
  readonly examples: string | null;
  /** The result, in the words of its page; null if it has none. */
  readonly headline: string | null;
  /** False where the run was stopped and can be resumed. */
  readonly complete: boolean;
  /** Last change of its page, or of its manifest. */
  readonly date: Date;
  /** Its page, or its `report.json`, relative to the folder looked through; null where it has neither. */
  readonly report: string | null;
}

/** The runs found below a folder. */
export interface FoundRuns {
  /** Absolute, without symbolic links. */
  readonly root: string;
  /** Newest first, then by place. */
  readonly runs: readonly FoundRun[];
  /** True where there were more folders than are looked through. */
  readonly isCut: boolean;
}

/** Folders looked through: some seconds' work, and more than any folder of runs holds. */
const MOST_FOLDERS = 20_000;
/** The page of a run, the likeliest first. */
const RUN_PAGES = ['report.html', 'index.html'];

interface Folder extends WalkedFolder {
  /** Relative to the root, with slashes; empty for the root. */
  readonly place: string;
}

const placeOf = ({ place }: Folder, name: string): string => (place === '' ? name : `${place}/${name}`);
const changedAt = ({ path }: Folder, name: string): Date => statSync(join(path, name)).mtime;

function readManifest(file: string): RunManifest | null {
  try {
    return readRunManifest(dirname(file));
  } catch {
    return null; // another program's run.json
  }
}

/** What the files of runs say, kept from one look through a folder to the next. */
export class RunFiles {
  readonly manifests = new KnownFiles(readManifest);
  readonly pages = new KnownFiles(readPageSummary);
}

/** The pages of a folder that perturbql wrote, by file name. */
function pagesOf({ path, files }: Folder, known: RunFiles): Map<string, PageSummary> {
  const pages = files.filter((name) => name.endsWith('.html'));
  const summaries = pages.map((name) => [name, known.pages.of(join(path, name))] as const);
  return new Map(summaries.flatMap(([name, summary]) => (summary === null ? [] : [[name, summary]])));
}

function toRun(folder: Folder, manifest: RunManifest, page: string | null, summary: PageSummary | null): FoundRun {
  const { command, settings, inputs, complete } = manifest;
  const file = page ?? (folder.files.includes('report.json') ? 'report.json' : null);
  const { examplesName } = inputs;
  const format = typeof settings['dataset'] === 'string' ? `data set ${settings['dataset']}` : '';
  const dataset = examplesName === undefined ? format : `examples ${examplesName}`;
  return {
    kind: command,
    place: folder.place === '' ? '.' : folder.place,
    subject: summary?.subject ?? dataset,
    examples: inputs['examples'] ?? null,
    headline: summary?.headline ?? null,
    complete,
    date: changedAt(folder, page ?? 'run.json'),
    report: file === null ? null : placeOf(folder, file),
  };
}

function toPage(folder: Folder, page: string, { kind, subject, headline }: PageSummary): FoundRun {
  const place = placeOf(folder, page);
  return {
    kind,
    place,
    subject,
    headline,
    report: place,
    examples: null,
    complete: true,
    date: changedAt(folder, page),
  };
}

/** The run of a folder, and the pages in it that are no run's own. */
function* runsOf(folder: Folder, known: RunFiles): Generator<FoundRun> {
  const manifest = folder.files.includes('run.json') ? known.manifests.of(join(folder.path, 'run.json')) : null;
  const pages = pagesOf(folder, known);
  if (manifest !== null) {
    const page = RUN_PAGES.find((name) => pages.has(name)) ?? null;
    yield toRun(folder, manifest, page, page === null ? null : (pages.get(page) ?? null));
    if (page !== null) pages.delete(page);
  }
  for (const [page, summary] of pages) yield toPage(folder, page, summary);
}

function rootOf(folder: string): string {
  try {
    const root = realpathSync(folder);
    if (statSync(root).isDirectory()) return root;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  throw new ConfigError(`${folder} is no folder`, { fix: 'Name a folder with runs below it.' });
}

const folderAt = (root: string, found: WalkedFolder): Folder => ({
  ...found,
  place: relative(root, found.path).split(sep).join('/'),
});

/** Checks whether a place below a folder, with slashes, is the report of a run there; only its own folder is looked at. */
export function isReport(folder: string, place: string, known = new RunFiles()): boolean {
  const names = place.split('/').slice(0, -1);
  if (names.some((name) => name === '' || isPassedOver(name))) return false;
  const path = join(rootOf(folder), ...names);
  if (!existsSync(path) || realpathSync(path) !== path) return false;
  const [found] = walkFolders(path, () => true);
  if (found === undefined) return false;
  return [...runsOf(folderAt(rootOf(folder), found), known)].some(({ report }) => report === place);
}

/**
 * Finds all runs below a folder, and report pages of perturbql that stand alone; nothing is written.
 * @throws ConfigError where there is no such folder
 */
export function findRuns(folder: string, known = new RunFiles()): FoundRuns {
  const root = rootOf(folder);
  const runs: FoundRun[] = [];
  let left = MOST_FOLDERS;
  for (const found of walkFolders(root, () => false)) {
    if (left-- === 0) break;
    runs.push(...runsOf(folderAt(root, found), known));
  }
  runs.sort((a, b) => b.date.getTime() - a.date.getTime() || (a.place < b.place ? -1 : 1));
  return { root, runs, isCut: left < 0 };
}
