// Sets exact match and execution against test-suite accuracy over several models, of verdicts that `perturbql evaluate
// --verdicts` wrote: npm run correlate -- FILE FILE … [--names A,B,…] [--out DIR]. Needs dist-bench (`npm run correlate`
// makes it).
import process from 'node:process';

const load = (path) => import(new URL(`../dist-bench/${path}`, import.meta.url).href);
const { correlateVerdicts } = await load('bench/correlation/correlate-verdicts.js');
const { PerturbqlError } = await load('src/errors.js');

try {
  correlateVerdicts(process.argv.slice(2), (line) => console.log(line));
} catch (error) {
  if (!(error instanceof PerturbqlError)) throw error;
  process.stderr.write(`error: ${error.render()}\n`);
  process.exitCode = 2;
}
