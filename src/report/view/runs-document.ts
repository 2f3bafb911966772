import { groupBy } from '../../run/group-by.js';
import { VERSION } from '../../version.js';
import type { Chapter, Cell, PlotSection, ReportDocument, Row, Span, TableSection } from '../document/document.js';
import { nameSpan } from '../document/document.js';
import { headed, tableOf } from '../document/sections.js';
import { formatCount, formatNoun } from '../../counts.js';
import type { FoundRun, FoundRuns } from './find-runs.js';
import { figureText, KINDS_WITH_FIGURES, type RunFigure } from './run-figures.js';

/** A run with its figures, and the run before it that they are compared with. */
interface ComparedRun {
  readonly run: FoundRun;
  readonly figures: readonly RunFigure[];
  /** The last one before it of the same kind and about the same; null where it is the first. */
  readonly previous: ComparedRun | null;
}

/** Most runs of a kind that are listed, and most that are drawn. */
const MOST_ROWS = 200;
const MOST_POINTS = 20;
/** Most lines drawn of a kind. */
const MOST_LINES = 3;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const pad = (n: number): string => String(n).padStart(2, '0');

/** By the clock of this machine, "18:05". */
const timeText = (date: Date): string => `${pad(date.getHours())}:${pad(date.getMinutes())}`;

/** By the clock of this machine, "Nov 12", with the year where it is not that of `now`. */
function dayText(date: Date, now: Date): string {
  const day = `${MONTHS[date.getMonth()] ?? ''} ${date.getDate()}`;
  return date.getFullYear() === now.getFullYear() ? day : `${day}, ${date.getFullYear()}`;
}

/** The day of a run, or the time where both runs are of one day. */
function whenText(date: Date, other: Date): string {
  return date.toDateString() === other.toDateString() ? `at ${timeText(date)}` : `on ${dayText(date, other)}`;
}

/** Runs of a kind with the same key are about the same model and data, and are compared. */
const keyOf = ({ subject, examples }: FoundRun): string => `${examples ?? ''} ${subject}`;

/** Runs of one kind, the newest first, each with the one that it is compared with. */
function compareRuns(
  runs: readonly FoundRun[],
  figuresOf: (run: FoundRun) => readonly RunFigure[],
): readonly ComparedRun[] {
  const latest = new Map<string, ComparedRun>();
  const compared = runs.toReversed().map((run) => {
    const figures = figuresOf(run);
    const one = { run, figures, previous: latest.get(keyOf(run)) ?? null };
    if (figures.length > 0) latest.set(keyOf(run), one);
    return one;
  });
  return compared.reverse();
}

const sameFigure = (one: ComparedRun | null, { id }: RunFigure): RunFigure | undefined =>
  one?.figures.find((figure) => figure.id === id);

/** Returns the change of a figure since the run before; null if there is none to compare with. */
function changeOf(one: ComparedRun, figure: RunFigure): { readonly change: number; readonly since: Date } | null {
  const before = sameFigure(one.previous, figure);
  if (before === undefined || one.previous === null) return null;
  return { change: figure.value - before.value, since: one.previous.run.date };
}

/** A change as text without its sign; null where it would read as none. */
function sizeText(figure: RunFigure, change: number): string | null {
  const text = figureText(figure, Math.abs(change));
  return Number.parseFloat(text) === 0 ? null : text.replace('%', figure.unit === 'percent' ? ' points' : '');
}

function figureCell(one: ComparedRun, figure: RunFigure | undefined): Cell {
  if (figure === undefined) return null;
  const compared = changeOf(one, figure);
  const size = compared === null ? null : sizeText(figure, compared.change);
  const cell = { text: figureText(figure, figure.value), sort: figure.value };
  if (compared === null) return cell;
  if (size === null) return { ...cell, sub: 'as before' };
  const isMore = compared.change > 0;
  const isBetter = figure.better === null ? null : (figure.better === 'more') === isMore;
  const sign = `${isMore ? '+' : '−'}${size}`;
  return { ...cell, sub: isBetter === null ? sign : [{ text: sign, as: 'strong', tone: isBetter ? 'good' : 'bad' }] };
}

/** Address of a report below the page's own: each name escaped, so that `?` and `#` stay part of it. */
function addressOf(report: string): string {
  return `reports/${report.split('/').map(encodeURIComponent).join('/')}`;
}

function rowOf(one: ComparedRun, heads: readonly RunFigure[], now: Date): Row {
  const { place, subject, headline, complete, date, report } = one.run;
  const text = headline ?? (report === null ? 'no report' : 'report.json');
  const name: Span = { text, as: 'name', ...(report !== null && { href: addressOf(report) }) };
  const unfinished: readonly (string | Span)[] = complete ? [] : [' ', { text: 'not finished', as: 'tag' }];
  return {
    cells: [
      { text: [name, ...unfinished], sub: [...(subject === '' ? [] : [`${subject} · `]), nameSpan(place)] },
      ...heads.map((head) => figureCell(one, sameFigure(one, head))),
      { text: dayText(date, now), sub: timeText(date), sort: date.getTime() },
    ],
  };
}

/** The figures that runs have, each once. */
function headsOf(runs: readonly ComparedRun[]): readonly RunFigure[] {
  const heads = new Map(runs.flatMap(({ figures }) => figures).map((figure) => [figure.id, figure]));
  return [...heads.values()];
}

function runTable(kind: string, runs: readonly ComparedRun[], now: Date): TableSection {
  const heads = headsOf(runs);
  return tableOf(
    `Runs of ${kind}`,
    headed('What came out', ...heads.map(({ head, title }) => [head, title] as const), 'Date'),
    runs.slice(0, MOST_ROWS).map((one) => rowOf(one, heads, now)),
    runs.length > 8 ? 'run' : undefined,
  );
}

/** The first figure of runs about the same, by date; null where there are not two. */
function seriesOf(runs: readonly ComparedRun[], now: Date): PlotSection | null {
  const [first] = headsOf(runs);
  if (first === undefined) return null;
  const lanes = runs
    .slice(0, MOST_POINTS)
    .toReversed()
    .flatMap((one) => {
      const figure = sameFigure(one, first);
      if (figure === undefined) return [];
      const { value } = figure;
      const label = `${dayText(one.run.date, now)} ${timeText(one.run.date)}`;
      return [{ label, figure: figureText(figure, value), tone: 'rpl' as const, value, ends: null }];
    });
  if (lanes.length < 2) return null;
  const values = lanes.map(({ value }) => value);
  return {
    kind: 'plot',
    mark: 'line',
    title: `${first.title.charAt(0).toUpperCase()}${first.title.slice(1)}`,
    groups: [{ heading: runs[0]?.run.subject ?? '', lanes }],
    axis: { from: Math.min(0, ...values), to: Math.max(0, ...values), title: '' },
    ticks: [],
  };
}

/** The lines of a kind: one for whatever runs are about, those with the newest runs first. */
function seriesOfKind(runs: readonly ComparedRun[], now: Date): readonly PlotSection[] {
  const plots = [...groupBy(runs, ({ run }) => keyOf(run)).values()].map((own) => seriesOf(own, now));
  return plots.filter((plot) => plot !== null).slice(0, MOST_LINES);
}

function headlineOf(runs: readonly FoundRun[], kinds: ReadonlyMap<string, readonly ComparedRun[]>): string {
  if (runs.length === 0) return 'There is no run here yet';
  const all = formatNoun(runs.length, 'run');
  const latest = KINDS_WITH_FIGURES.map((kind) => kinds.get(kind)?.find(({ figures }) => figures.length > 0));
  const told = latest.find((one) => one !== undefined);
  const figure = told?.figures[0];
  if (told === undefined || figure === undefined) {
    const headline = runs[0]?.headline ?? null;
    return headline === null ? all : `${all}; the latest: ${headline}`;
  }
  const compared = changeOf(told, figure);
  const said = `${all}; ${figure.say(figureText(figure, figure.value))}`;
  if (compared === null) return said;
  const [size, when] = [sizeText(figure, compared.change), whenText(compared.since, told.run.date)];
  if (size === null) return `${said}, as ${when}`;
  return `${said}, ${size} ${compared.change > 0 ? 'more' : 'less'} than ${when}`;
}

/** Kinds with figures first, in the order of what matters most, then the others by name. */
function sortKinds(kinds: Iterable<string>): readonly string[] {
  const rankOf = (kind: string): number => KINDS_WITH_FIGURES.indexOf(kind) + 1 || Infinity;
  return [...kinds].sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
}

function kindChapter(
  kind: string,
  at: number,
  runs: readonly ComparedRun[],
  plots: readonly PlotSection[],
  now: Date,
): Chapter {
  const compared = runs.some(({ previous }) => previous !== null);
  const cut = runs.length > MOST_ROWS ? ` Listed are the latest ${formatCount(MOST_ROWS)}.` : '';
  const note = `${compared ? 'Changes are against the run before about the same model and data.' : ''}${cut}`.trim();
  return {
    id: `kind-${at + 1}`,
    heading: `${kind}, ${formatNoun(runs.length, 'run')}`,
    link: `${kind} ${formatCount(runs.length)}`,
    ...(note !== '' && { note }),
    sections: [...plots, runTable(kind, runs, now)],
  };
}

/** All runs of a folder as a document: what the latest came to, and runs of a kind against those before. */
export function runsDocument(
  { root, runs, isCut }: FoundRuns,
  figuresOf: (run: FoundRun) => readonly RunFigure[],
): ReportDocument {
  const now = runs[0]?.date ?? new Date(0);
  const byKind = groupBy(runs, ({ kind }) => kind);
  const kinds = new Map(sortKinds(byKind.keys()).map((kind) => [kind, compareRuns(byKind.get(kind) ?? [], figuresOf)]));
  const plots = [...kinds.values()].map((own) => seriesOfKind(own, now));
  const plot = plots[0]?.[0] ?? null;
  const chapters = [...kinds].map(([kind, own], i) =>
    kindChapter(
      kind,
      i,
      own,
      (plots[i] ?? []).filter((one) => one !== plot),
      now,
    ),
  );
  return {
    title: 'perturbql runs',
    command: 'view',
    subject: [nameSpan(root)],
    headline: headlineOf(runs, kinds),
    lede:
      runs.length === 0
        ? [{ text: 'perturbql demo', as: 'code' }, ' makes one of the packaged examples.']
        : 'Each kind of run with the newest first, read again at each load.',
    plot,
    warnings: isCut ? ['There are more folders than are looked through: name one further down.'] : [],
    chapters,
    version: VERSION,
    footer: 'This server only reads, and only this machine reaches it.',
  };
}
