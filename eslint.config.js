import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** The floors of the house (docs/architecture.md): a room may import from its own floor and the floors below. */
const FLOORS = {
  foundations: ['schema', 'formats', 'sql', 'inference', 'run'],
  cta: ['recipes', 'retriever', 'reranker', 'dictionary', 'naturalness', 'nli', 'tpe'],
  uses: ['perturb', 'testsuite', 'attack', 'evaluate', 'annotate', 'metamorphic'],
  surface: ['cli'],
};
const floorNames = Object.keys(FLOORS);

function floorRule(floor) {
  const above = floorNames.slice(floorNames.indexOf(floor) + 1).flatMap((name) => FLOORS[name]);
  const patterns = above.map((room) => `**/${room}/**`);
  if (floor === 'foundations') patterns.push('**/pipeline.js', '**/registry.js');
  if (floor === 'foundations' || floor === 'cta') patterns.push('**/index.js');
  return {
    files: FLOORS[floor].map((room) => `src/${room}/**/*.{ts,tsx}`),
    rules: { 'no-restricted-imports': ['error', { patterns: [{ group: patterns, message: 'imports go down only' }] }] },
  };
}

export default tseslint.config(
  { ignores: ['dist/', 'dist-bench/', 'node_modules/', 'coverage/', 'training/'] },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { project: ['./tsconfig.check.json', './src/annotate/web/tsconfig.json'] } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      'no-console': 'error',
    },
  },
  ...['foundations', 'cta', 'uses'].map(floorRule),
  {
    files: ['src/cli/**/*.ts', 'bench/**', 'scripts/**', 'examples/**'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    ...tseslint.configs.disableTypeChecked,
    languageOptions: {
      ...tseslint.configs.disableTypeChecked.languageOptions,
      globals: {
        console: 'readonly',
        process: 'readonly',
        URL: 'readonly',
        AbortController: 'readonly',
        performance: 'readonly',
      },
    },
  },
);
