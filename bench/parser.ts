// Trees equal to spaCy's and questions per CPU second: npm run bench:parser [-- --data DIR] [--python PATH] [--rounds N]
import { runParserBench } from './parser/run-parser-bench.js';
import { runBench } from './run-bench.js';

await runBench(runParserBench);
