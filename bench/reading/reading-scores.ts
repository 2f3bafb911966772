import { ConfigError, InputFormatError } from '../../src/errors.js';
import { cohenKappa } from '../../src/annotate/agreement/agreement-report.js';
import { meanOf } from '../../src/report/statistics/mean.js';
import { bootstrapMean, type Interval } from '../../src/report/statistics/bootstrap.js';
import { groupBy } from '../../src/run/group-by.js';
import { createRng } from '../../src/seeded-rng.js';
import type { FigureTable } from '../bench-figures.js';
import type { DrawnReading, ReadingItem } from './reading-list.js';

const VERDICTS = ['y', 'c', 'n'] as const;
type Verdict = (typeof VERDICTS)[number];

/** What a reader said of an item; `isTopical` of additions alone. */
interface Answer {
  readonly verdict: Verdict;
  readonly isTopical: boolean;
}
/** One reader's answers, by item. */
export type Answers = ReadonlyMap<number, Answer>;

const LINE = /^(\d+)\t([ycn])(?:\t([tf]))?$/;
const FIX = 'Write a line for each item: its id, a tab, y, c or n; of an ADD item another tab and t or f.';

/**
 * Reads a reader's file.
 * @throws InputFormatError naming the line that is no answer, or the item that has none
 */
export function parseAnswers(text: string, file: string, items: readonly ReadingItem[]): Answers {
  const answers = new Map<number, Answer>();
  const known = new Map(items.map((item) => [item.id, item]));
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [, id, verdict, topic] = LINE.exec(line.trim()) ?? [];
    const item = known.get(Number(id));
    const where = { file, line: index + 1 };
    if (item === undefined || verdict === undefined || (item.bucket === 'ADD') !== (topic !== undefined))
      throw new InputFormatError('the line is no answer to an item of the list', { where, fix: FIX });
    answers.set(item.id, { verdict: verdict as Verdict, isTopical: topic === 't' });
  }
  const left = items.find(({ id }) => !answers.has(id));
  if (left === undefined) return answers;
  throw new InputFormatError(`item ${left.id} has no answer`, { where: { file, id: String(left.id) }, fix: FIX });
}

/** How far two readers agree: the share of equal verdicts in percent, and Cohen's kappa. */
export function agreementOf(a: Answers, b: Answers, items: readonly ReadingItem[]): { same: number; kappa: number } {
  const table = new Array<number>(VERDICTS.length ** 2).fill(0);
  for (const { id } of items)
    table[VERDICTS.indexOf(a.get(id)!.verdict) * VERDICTS.length + VERDICTS.indexOf(b.get(id)!.verdict)]!++;
  const same = items.filter(({ id }) => a.get(id)!.verdict === b.get(id)!.verdict).length;
  return { same: (100 * same) / items.length, kappa: cohenKappa(table) };
}

/** A share in percent by each reader, and the 95 % interval of their mean, whole databases drawn. */
interface Share {
  readonly byReader: readonly number[];
  readonly interval: Interval | null;
}

function shareOf(
  items: readonly ReadingItem[],
  readers: readonly Answers[],
  holds: (answer: Answer) => boolean,
): Share {
  const of = (reader: Answers, item: ReadingItem): number => (holds(reader.get(item.id)!) ? 100 : 0);
  const clusters = [...groupBy(items, (item) => item.db_id).values()].map((own) =>
    own.map((item) => meanOf(readers.map((reader) => of(reader, item)))),
  );
  return {
    byReader: readers.map((reader) => meanOf(items.map((item) => of(reader, item)))),
    interval: bootstrapMean(clusters, createRng(1, 'reading')),
  };
}

const isYes = ({ verdict }: Answer): boolean => verdict === 'y';
const digits = (values: readonly number[]): string => values.map((value) => value.toFixed(0)).join(', ');
const range = (interval: Interval | null): string =>
  interval === null || interval.low === null || interval.high === null
    ? ''
    : `${interval.low.toFixed(0)} to ${interval.high.toFixed(0)}`;

/** Of each source and bucket, what readers took of its names. */
export function readingFigures(
  id: string,
  about: string,
  { items, columns }: DrawnReading,
  readers: readonly Answers[],
): FigureTable {
  if (readers.length === 0)
    throw new ConfigError('no reader is given', { fix: 'Name the readers’ files: --answers FILE.' });
  const sources = [...new Set(columns.flatMap(({ names }) => Object.keys(names)))];
  const rows = sources.flatMap((source) =>
    (['RPL', 'ADD'] as const).map((bucket): readonly [string, FigureTable['rows'][string]] => {
      const own = items.filter((item) => item.bucket === bucket && item.sources.includes(source));
      const counts = columns.map(({ names }) => names[source]?.[bucket] ?? 0);
      const perColumn = meanOf(counts);
      if (own.length === 0) return [`${source}-${bucket.toLowerCase()}`, { names: 0, perColumn }];
      const yes = shareOf(own, readers, isYes);
      const isAddition = bucket === 'ADD';
      const row = {
        names: own.length,
        perColumn,
        without: (100 * counts.filter((count) => count === 0).length) / columns.length,
        yes: digits(yes.byReader),
        yesInterval: range(yes.interval),
        close: digits(shareOf(own, readers, ({ verdict }) => verdict === 'c').byReader),
        accepted: (perColumn * (yes.interval?.mean ?? 0)) / 100,
        topic: isAddition ? digits(shareOf(own, readers, ({ isTopical }) => isTopical).byReader) : null,
        both: isAddition ? digits(shareOf(own, readers, (one) => isYes(one) && one.isTopical).byReader) : null,
      };
      return [`${source}-${bucket.toLowerCase()}`, row];
    }),
  );
  return {
    id,
    title: 'How names read',
    about,
    columns: {
      names: { head: 'names read' },
      perColumn: { head: 'names a column', decimals: 2 },
      without: { head: 'columns without, %', decimals: 1 },
      yes: { head: 'yes, % by reader' },
      yesInterval: { head: '95% by database' },
      close: { head: 'close, %' },
      accepted: { head: 'accepted a column', decimals: 2 },
      topic: { head: 'close in topic, %' },
      both: { head: 'yes and close in topic, %' },
    },
    rows: Object.fromEntries(rows),
  };
}
