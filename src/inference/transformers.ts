/**
 * The used part of transformers.js: its tokenizers. The build bundles them into this file
 * (`scripts/bundle-tokenizers.mjs`), so that installing perturbql does not install the models' runtimes for browsers
 * and the image library, 180 MB.
 */
export { AutoTokenizer, env } from '@xenova/transformers';
