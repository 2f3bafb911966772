import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { formatCount } from '../../counts.js';
import { type FoundRun, type FoundRuns, KnownFiles } from './find-runs.js';

/** A figure that runs of a kind are compared by. */
export interface RunFigure {
  /** The same for the same figure of another run. */
  readonly id: string;
  readonly head: string;
  /** Explains the head. */
  readonly title: string;
  readonly value: number;
  readonly unit: 'points' | 'percent' | 'count';
  /** Which change is for the better; null where neither is. */
  readonly better: 'less' | 'more' | null;
  /** The figure in a sentence, about its text: "your model loses 17.0 points under RPL". */
  readonly say: (text: string) => string;
}

/** Reads the figures of a kind's report.json; of a report of another form none. */
type FigureReader = (json: unknown) => readonly RunFigure[];

const reader =
  <T>(schema: z.ZodType<T>, figures: (report: T) => readonly RunFigure[]): FigureReader =>
  (json) => {
    const { data } = schema.safeParse(json);
    return data === undefined ? [] : figures(data);
  };

const attack = reader(
  z.object({
    scores: z.array(
      z.object({
        metric: z.string(),
        condition: z.string(),
        accuracy: z.number(),
        drop: z.object({ absolute: z.number() }).nullable(),
      }),
    ),
  }),
  ({ scores }) => {
    const own = scores.filter(({ metric }) => metric === scores[0]?.metric);
    const losses = own.flatMap(({ condition, drop }): RunFigure[] =>
      drop === null
        ? []
        : [
            {
              id: condition,
              head: `Lost, ${condition}`,
              title: `points of accuracy lost under ${condition}`,
              value: 100 * drop.absolute,
              unit: 'points',
              better: 'less',
              say: (text) => `your model loses ${text} points under ${condition}`,
            },
          ],
    );
    if (losses.length > 0) return losses;
    return own.slice(0, 1).map(({ accuracy }): RunFigure => ({
      id: 'accuracy',
      head: 'Right',
      title: 'questions answered right',
      value: 100 * accuracy,
      unit: 'percent',
      better: 'more',
      say: (text) => `your model answers ${text} of the questions right`,
    }));
  },
);

const consistency = reader(z.object({ all: z.object({ rate: z.number().nullable() }) }), ({ all: { rate } }) =>
  rate === null
    ? []
    : [
        {
          id: 'rate',
          head: 'Inconsistent',
          title: 'mutants answered otherwise than their example',
          value: 100 * rate,
          unit: 'percent',
          better: 'less',
          say: (text) => `your model answers ${text} of mutants inconsistently`,
        },
      ],
);

const count = (
  id: string,
  [head, title]: readonly [string, string],
  value: number,
  say: RunFigure['say'],
  better: RunFigure['better'] = null,
): RunFigure => ({ id, head, title, value, unit: 'count', better, say });

const audit = reader(z.object({ doubtful: z.number() }), ({ doubtful }) => [
  count(
    'doubtful',
    ['In doubt', 'examples with a gold query in doubt'],
    doubtful,
    (text) => `${text} examples have a gold query in doubt`,
    'less',
  ),
]);

const suite = reader(
  z.object({ totals: z.object({ shareLeft: z.number().nullable() }) }),
  ({ totals: { shareLeft } }) =>
    shareLeft === null
      ? []
      : [
          {
            id: 'left',
            head: 'Pass',
            title: 'wrong queries one change away that pass',
            value: 100 * shareLeft,
            unit: 'percent',
            better: 'less',
            say: (text) => `${text} of wrong queries pass the suite`,
          },
        ],
);

const candidates = reader(
  z.object({ totals: z.object({ buckets: z.object({ RPL: z.number(), ADD: z.number() }) }) }),
  ({ totals: { buckets } }) =>
    (['RPL', 'ADD'] as const).map((kind) =>
      count(kind, [`${kind} names`, `names accepted for ${kind}`], buckets[kind], (text) => `${text} ${kind} names`),
    ),
);

const augment = reader(z.object({ written: z.object({ rpl: z.number(), add: z.number() }) }), ({ written }) =>
  (['rpl', 'add'] as const).map((kind) => {
    const name = kind.toUpperCase();
    return count(kind, [name, `examples written with ${name}`], written[kind], (text) => `${text} ${name} examples`);
  }),
);

const mutate = reader(z.object({ total: z.object({ written: z.number() }) }), ({ total: { written } }) => [
  count('written', ['Mutants', 'mutants written'], written, (text) => `${text} mutants`),
]);

const kindOfComposed = z.object({ total: z.number() });
const compose = reader(
  z.object({ written: z.object({ SUB: kindOfComposed, APP: kindOfComposed }) }),
  ({ written: { SUB, APP } }) => [
    count('written', ['Composed', 'questions composed'], SUB.total + APP.total, (text) => `${text} composed questions`),
  ],
);

/**
 * By the command that wrote a run: those about a model first, as the page's headline is of the first one that there is.
 */
const READERS: ReadonlyMap<string, FigureReader> = new Map([
  ['attack', attack],
  ['consistency', consistency],
  ['audit', audit],
  ['suite build', suite],
  ['candidates', candidates],
  ['augment', augment],
  ['mutate', mutate],
  ['compose', compose],
]);

/** Commands whose runs have figures, in the order of what matters most. */
export const KINDS_WITH_FIGURES: readonly string[] = [...READERS.keys()];

/** "17.0", "0.12%", "1,204". */
export function figureText({ unit }: Pick<RunFigure, 'unit'>, value: number): string {
  if (unit === 'count') return formatCount(value);
  if (unit === 'points') return value.toFixed(1);
  return `${value.toFixed(Math.abs(value) < 1 && value !== 0 ? 2 : 1)}%`;
}

/** Figures of runs, each report read once as long as it stays as it is. */
export class RunFigures {
  readonly #known = new Map<string, KnownFiles<readonly RunFigure[]>>();

  /** The figures of a run; none where its kind has none, or it has no report.json of its own. */
  of({ root }: Pick<FoundRuns, 'root'>, { kind, place, report, complete }: FoundRun): readonly RunFigure[] {
    const read = READERS.get(kind);
    // A page that stands alone is its own place.
    if (read === undefined || !complete || report === place) return [];
    const file = join(root, place, 'report.json');
    try {
      if (realpathSync(file) !== file) return [];
      const known = this.#known.get(kind) ?? new KnownFiles((path) => read(JSON.parse(readFileSync(path, 'utf8'))));
      this.#known.set(kind, known);
      return known.of(file);
    } catch {
      return []; // no report.json, or one that can't be read: the run is listed without figures
    }
  }
}
