/** A part that somebody adds: its own file, and what has to be written into others. */
export interface Extension {
  /** As the table of CONTRIBUTING.md calls it. */
  readonly kind: string;
  readonly file: string;
  readonly text: string;
  readonly edits: readonly Edit[];
}

/** Text that is put in front of the first place of a source file where `before` stands. */
interface Edit {
  readonly file: string;
  readonly before: string;
  readonly text: string;
}

const RULE: Extension = {
  kind: 'naturalness rule',
  file: 'src/naturalness/no-please.ts',
  text: `
import type { NaturalnessRule } from './naturalness-rule.js';

export const noPlease = (): Omit<NaturalnessRule, 'id'> => ({
  appliesTo: 'both',
  check: (name) => (name.includes('please') ? 'says please' : null),
});
`,
  edits: [
    { file: 'src/naturalness/rules.ts', before: 'import', text: `import { noPlease } from './no-please.js';\n` },
    {
      file: 'src/naturalness/rules.ts',
      before: '} as const satisfies Record<string, RuleFactory>',
      text: `  'no-please': noPlease,\n`,
    },
    { file: 'src/naturalness/naturalness-rule.ts', before: '  ambiguous:', text: `  'no-please': 'Says please',\n` },
  ],
};

const SOURCE: Extension = {
  kind: 'candidate source',
  file: 'src/dictionary/echo-source.ts',
  text: `
import type { Candidate, CandidateSource, TargetColumn } from '../stage.js';

export class EchoSource implements CandidateSource {
  readonly id = 'echo';
  readonly fingerprint = 'echo:1';

  propose(columns: readonly TargetColumn[]): Promise<readonly (readonly Candidate[])[]> {
    return Promise.resolve(columns.map(() => [{ name: 'echo', source: 'echo', origin: null, similarity: null }]));
  }
}
`,
  edits: [
    { file: 'src/stage.ts', before: '  annotation: {}', text: `  echo: {},\n` },
    {
      file: 'src/registry.ts',
      before: "} as const satisfies Record<Exclude<CandidateSourceKind, 'annotation'>",
      text: `  echo: async () => new (await import('./dictionary/echo-source.js')).EchoSource(),\n`,
    },
  ],
};

const FORMAT: Extension = {
  kind: 'data set format',
  file: 'src/formats/renamed-spider-dataset.ts',
  text: `
import type { Dataset, PathsWith } from './dataset.js';
import { loadSpiderDataset } from './spider-dataset.js';

export async function loadRenamedSpider(paths: PathsWith<'tables' | 'examples'>): Promise<Dataset> {
  return loadSpiderDataset(paths);
}
`,
  edits: [
    {
      file: 'src/formats/dataset-formats.ts',
      before: '} as const satisfies Record<string, readonly DatasetInput[]>',
      text: `  'renamed-spider': ['tables', 'examples'],\n`,
    },
    {
      file: 'src/formats/load-dataset.ts',
      before: '  cosql: interactions,',
      text: `  'renamed-spider': async () => ({\n    read: (await import('./renamed-spider-dataset.js')).loadRenamedSpider,\n    write: null,\n  }),\n`,
    },
  ],
};

const METRIC: Extension = {
  kind: 'metric',
  file: 'src/evaluate/kinds/length-kind.ts',
  text: `
import type { EvaluationPair, Metric, Verdict } from '../metric.js';
import { type Judged, pairMetricKind, pairScores } from '../metric-kind.js';

interface LengthVerdict extends Verdict {
  readonly longer: number;
}

class LengthMatch implements Metric<LengthVerdict> {
  readonly id = 'length';
  readonly fingerprint = 'length:1';

  judge(pairs: readonly EvaluationPair[]): Promise<readonly LengthVerdict[]> {
    return Promise.resolve(
      pairs.map(({ id, gold, predicted }) => {
        const longer = predicted.length - gold.length;
        return { id, outcome: longer === 0 ? 'correct' : 'wrong', longer };
      }),
    );
  }
}

export const LENGTH = pairMetricKind({
  heading: 'equal length',
  checksGold: true,
  open: () => ({
    metric: new LengthMatch(),
    mode: 'length:1',
    scores: (judged: Judged<LengthVerdict>) => {
      const longest = Math.max(...judged.verdicts.map(({ longer }) => longer));
      return { ...pairScores(judged), longest };
    },
  }),
  fieldsOf: ({ longer }: LengthVerdict) => ({ longer }),
  lines: ({ longest }) => [\`  longest by \${longest}\`],
});
`,
  edits: [
    {
      file: 'src/evaluate/metrics.ts',
      before: '} as const satisfies Readonly<Record<string, MetricEntry>>',
      text: `  length: {
    over: 'pairs',
    title: 'Equal length',
    load: async () => (await import('./kinds/length-kind.js')).LENGTH,
  },\n`,
    },
  ],
};

const RELATION: Extension = {
  kind: 'relation',
  file: 'src/variants/relations/utterance/shouting.ts',
  text: `
import { utteranceRelation } from './utterance-relation.js';

export const SHOUTING = utteranceRelation({
  id: 'SH',
  version: 1,
  reword: ({ example: { question } }) => [{ question: question.toUpperCase(), detail: 'in capitals' }],
});
`,
  edits: [
    {
      file: 'src/variants/relations/relations.ts',
      before: '} as const satisfies Readonly<Record<string, CountedEntry>>',
      text: `  SH: {
    name: 'Shouting',
    deed: 'Shouting the question',
    target: 'utterance',
    cites: 'none',
    capability: 'question form',
    publishedRate: 0,
    create: async () => (await import('./utterance/shouting.js')).SHOUTING,
  },\n`,
    },
  ],
};

const VICTIM: Extension = {
  kind: 'victim',
  file: 'src/victims/kinds/parrot-kind.ts',
  text: `
import { positive } from '../../options/option-field.js';
import { readAnswer, type Victim, type VictimAnswer, type VictimQuestion } from '../victim.js';
import { victimKind } from '../victim-kind.js';

class ParrotVictim implements Victim {
  readonly id = 'parrot';
  readonly fingerprint = 'parrot:1';
  readonly concurrency = 1;
  readonly #times: number;

  constructor(times: number) {
    this.#times = times;
  }

  answer({ id, question }: VictimQuestion): Promise<VictimAnswer> {
    return Promise.resolve(readAnswer(id, question.repeat(this.#times)));
  }
}

export const PARROT = victimKind({
  kind: 'parrot',
  options: { times: positive('n', 'victim parrot: how often it says the question').exactOptional() },
  traits: { answers: 'sql', withContext: true, isAskedOn: true, perSecond: null },
  choose: ({ times }): { kind: 'parrot'; times: number } => ({ kind: 'parrot', times: times ?? 1 }),
  create: ({ times }) => Promise.resolve({ victim: new ParrotVictim(times), description: 'says the question' }),
});
`,
  edits: [
    { file: 'src/victims/victims.ts', before: 'import', text: `import { PARROT } from './kinds/parrot-kind.js';\n` },
    { file: 'src/victims/victims.ts', before: '] as const satisfies readonly VictimKindEntry[]', text: ', PARROT' },
  ],
};

/** One part of each kind that CONTRIBUTING.md counts files for. */
export const EXTENSIONS: readonly Extension[] = [RULE, SOURCE, FORMAT, METRIC, RELATION, VICTIM];

/** The files of the source that a part takes, its own first. */
export function filesOf({ file, edits }: Extension): readonly string[] {
  return [...new Set([file, ...edits.map((edit) => edit.file)])];
}
