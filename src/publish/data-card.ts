import type { RunManifest } from '../run/run-folder.js';
import { VERSION } from '../version.js';
import { type DataFile, ROW_FIELDS } from './data-files.js';
import type { InputLicenses } from './input-licenses.js';
import type { PublishableRun } from './run-rows.js';

/** The facts on a card. */
interface CardFacts {
  readonly run: PublishableRun;
  readonly files: readonly DataFile[];
  readonly licenses: InputLicenses;
}

const TITLES: Readonly<Record<string, string>> = {
  augment: 'Text-to-SQL with perturbed tables',
  compose: 'Text-to-SQL with composed questions',
  mutate: 'Text-to-SQL with metamorphic variants',
};

/** Sizes as the hub names them; the first that is not too small. */
const SIZES: readonly (readonly [number, string])[] = [
  [1_000, 'n<1K'],
  [10_000, '1K<n<10K'],
  [100_000, '10K<n<100K'],
  [1_000_000, '100K<n<1M'],
  [10_000_000, '1M<n<10M'],
  [Infinity, '10M<n<100M'],
];

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): readonly string[] =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);

/** Configurations as `datasets` reads them: one of all, the default, and one for each kind. */
function configLines(run: PublishableRun, files: readonly DataFile[]): readonly string[] {
  const config = (name: string, folder: string, own: readonly DataFile[]): readonly string[] => [
    `- config_name: ${name}`,
    ...(name === 'all' ? ['  default: true'] : []),
    '  data_files:',
    ...[...new Set(own.map(({ split }) => split))].flatMap((split) => [
      `  - split: ${split}`,
      `    path: data/${folder}/${split}.parquet`,
    ]),
  ];
  const names = Object.keys(run.configs).filter((name) => files.some((file) => file.config === name));
  return [
    ...config('all', '*', files),
    ...names.flatMap((name) =>
      config(
        name,
        name,
        files.filter((file) => file.config === name),
      ),
    ),
  ];
}

function frontMatter({ run, files, licenses }: CardFacts): readonly string[] {
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  const [first] = licenses.files;
  const isOther = licenses.id === 'other';
  return [
    '---',
    `license: ${licenses.id}`,
    ...(isOther && first !== undefined ? ['license_name: other', `license_link: licenses/${first.name}`] : []),
    'task_categories:',
    '- table-question-answering',
    'tags:',
    '- text-to-sql',
    '- perturbql',
    'size_categories:',
    `- ${SIZES.find(([most]) => rows < most)?.[1] ?? ''}`,
    'configs:',
    ...configLines(run, files),
    '---',
  ];
}

/** Returns a run's materials besides its inputs, with their licenses; as far as its settings name them. */
function ownLicenses({ settings }: RunManifest): readonly (readonly string[])[] {
  const text = JSON.stringify(settings);
  const isEmbedded = /"retriever":\{[^}]*"index":null/.test(text) && text.includes('retrieval:');
  return [
    ...(isEmbedded ? [['names of columns from the starter tables of perturbql', 'MIT']] : []),
    ...(text.includes('wordnet') ? [['synonyms from WordNet 3.1', 'WordNet License']] : []),
  ];
}

function licenseLines({ run, licenses }: CardFacts): readonly string[] {
  const texts = licenses.files.map(({ name }) => `[${name}](licenses/${name})`).join(', ');
  return [
    '## Licenses',
    '',
    ...table(
      ['what', 'license'],
      [
        [
          'questions, SQL and schemas of the input',
          `${licenses.id}, ${licenses.source}${texts === '' ? '' : `: ${texts}`}`,
        ],
        ...ownLicenses(run.manifest),
      ],
    ),
  ];
}

function provenanceLines({ manifest }: PublishableRun): readonly string[] {
  const { command, version, seed, inputs } = manifest;
  return [
    '## Provenance',
    '',
    `Made by \`perturbql ${command}\` ${version}, seed ${seed}; \`run.json\` has every setting and the fingerprints of all parts, the field \`provenance\` of each row how that row was made.`,
    '',
    ...table(
      ['input', 'sha256, or name'],
      Object.entries(inputs).map(([role, hash]) => [role, `\`${hash}\``]),
    ),
    '',
    '`SHA256SUMS` has the hash of every file: `sha256sum -c SHA256SUMS` checks them.',
  ];
}

const GOLD_UNCHANGED =
  'Rows with unchanged gold are on tables with renamed columns, none of which their gold SQL names: leave them out where renaming is measured (`query` is `original_query`).';

function hasUnchanged(files: readonly DataFile[]): boolean {
  return files.some(({ goldUnchanged }) => goldUnchanged > 0);
}

/** `README.md` of a data set folder: front matter that the hub and `datasets` read, then what people read. */
export function renderCard(facts: CardFacts): string {
  const { run, files } = facts;
  const { command } = run.manifest;
  const figures = files.map(({ config, split, rows, sources, databases, goldUnchanged }) => {
    return [config, split, rows, ...(hasUnchanged(files) ? [goldUnchanged] : []), sources, databases];
  });
  const written = Object.entries(run.configs).filter(([name]) => files.some(({ config }) => config === name));
  return [
    ...frontMatter(facts),
    '',
    `# ${TITLES[command] ?? command}`,
    '',
    `Published with perturbql ${VERSION}. A row is a question with its gold SQL on one schema, and is self-contained.`,
    '',
    ...table(['configuration', 'what it holds'], [['all', 'all of these'], ...written]),
    '',
    '## Figures',
    '',
    ...table(
      [
        ...['configuration', 'split', 'rows', ...(hasUnchanged(files) ? ['of these with unchanged gold'] : [])],
        ...['source examples', 'databases'],
      ],
      figures,
    ),
    '',
    ...(hasUnchanged(files) ? [GOLD_UNCHANGED, ''] : []),
    '## Fields',
    '',
    ...table(
      ['field', 'meaning'],
      Object.entries(ROW_FIELDS).map(([name, meaning]) => [`\`${name}\``, meaning]),
    ),
    '',
    ...provenanceLines(run),
    '',
    ...licenseLines(facts),
    '',
  ].join('\n');
}
