/**
 * The order of the house (docs/architecture.md), from top to bottom: a place may import from those below it alone. Places
 * in one row don't know each other.
 */
const ORDER = [
  ['cli'],
  ['index.ts'],
  ['entrypoints'],
  ['measure'],
  ['victims'],
  ['evaluate'],
  ['testsuite'],
  ['publish'],
  ['annotate', 'compositional'],
  ['variants'],
  ['create-stages.ts'],
  ['pipeline.ts'],
  ['column-decider.ts'],
  ['registry.ts'],
  ['recipes'],
  ['bank'],
  ['substitution'],
  ['retriever'],
  ['naturalness'],
  ['attributes'],
  ['reranker'],
  ['dictionary'],
  ['nli'],
  ['llm'],
  ['tpe'],
  ['fluency'],
  ['report'],
  ['inference'],
  ['formats'],
  ['chat'],
  ['http'],
  ['options'],
  ['run'],
  ['rows'],
  ['seeded-rng.ts'],
  ['stage.ts'],
  ['sql'],
  ['schema'],
  ['version.ts', 'present.ts', 'json-in.ts', 'regular-file.ts', 'counts.ts', 'vectors.ts'],
  ['package-path.ts'],
  ['errors.ts'],
  ['cause-text.ts'],
  ['shape-fault.ts'],
];

const pathOf = (place) => (place.endsWith('.ts') ? `^src/${place.replace('.', '\\.')}$` : `^src/${place}/`);

const downOnly = ORDER.flatMap((row, level) =>
  row.map((place) => {
    const above = [...ORDER.slice(0, level).flat(), ...row.filter((other) => other !== place)];
    return {
      name: `down-only-from-${place}`,
      comment: 'Imports go down only: what two rooms need belongs one floor down, once (docs/architecture.md).',
      severity: 'error',
      from: { path: pathOf(place) },
      to: { path: above.map(pathOf) },
    };
  }),
).filter(({ to }) => to.path.length > 0);

const known = ORDER.flat().map(pathOf);

export default {
  forbidden: [
    ...downOnly,
    {
      name: 'no-cycle',
      comment: 'Files that import each other, types alone included, are one file or have a third below them.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unknown-room',
      comment: 'A new room has its place in ORDER.',
      severity: 'error',
      from: { path: '^src/', pathNot: known },
      to: {},
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    includeOnly: '^src/',
  },
};
