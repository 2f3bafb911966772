// Packs perturbql, installs the tarball into an empty folder without running any package's scripts, and uses it as a user
// would: doctor, demo, evaluate and a library example. Once per version of Node given (npm's `node` package has them):
//   node scripts/check-package.mjs [20 22 24 26]
// Needs a build. Says for each how long it took and how much was installed; exits with 1 at the first that fails.
import { cpSync, existsSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { emptyProject, megabytesOf, nodeOf, npm, pack, run, temporaryFolder } from './packed-package.mjs';

const MAX_PACKED_MB = 60;
const PUBLINT = '0.3.25';
const ATTW = '0.18.5';

const folder = temporaryFolder();

/** What the package says of itself, by the tools that packages are checked with. */
function lint(tarball) {
  npm(['exec', '--yes', '--', `publint@${PUBLINT}`, 'run', tarball, '--strict'], folder);
  npm(['exec', '--yes', '--', `@arethetypeswrong/cli@${ATTW}`, tarball, '--profile', 'esm-only'], folder);
  console.log('exports and types: no fault found');
}

function check(version, tarball) {
  const node = nodeOf(version, folder);
  const place = emptyProject(folder, `user-${version}`);
  const env = {
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
    PERTURBQL_CACHE: join(place, 'cache'),
  };
  const installed = npm(['install', '--ignore-scripts', tarball], place, env);
  const cli = (...args) => run(node, [join(place, 'node_modules/perturbql/dist/cli/main.js'), ...args], place, env);

  const doctor = cli('doctor').output;
  const examples = join(place, 'examples');
  cpSync(join(place, 'node_modules/perturbql/examples'), examples, { recursive: true });
  const demo = cli('demo', '--out', 'RUN');
  if (!existsSync(join(place, 'RUN/report.html'))) throw new Error('the demo wrote no report');
  const on = (name) => join(examples, name);
  const data = ['--tables', on('tables.json'), '--databases', on('database')];
  cli('evaluate', '--gold', on('gold.sql'), '--predictions', on('pred.sql'), ...data);
  for (const program of ['library.mjs', 'entrypoints/sql.mjs', 'entrypoints/suite.mjs'])
    run(node, [on(program)], place, env);

  const driver = /sqlite +(.*)/.exec(doctor)?.[1];
  const size = megabytesOf(join(place, 'node_modules')).toFixed(0);
  console.log(
    `Node ${version}: installed ${size} MB in ${installed.seconds.toFixed(0)} s, demo ${demo.seconds.toFixed(0)} s; ${driver}`,
  );
  rmSync(place, { recursive: true });
}

const { tarball, megabytes } = pack(folder);
console.log(`packed ${megabytes.toFixed(1)} MB`);
if (megabytes > MAX_PACKED_MB) throw new Error(`the tarball is over ${MAX_PACKED_MB} MB`);
lint(tarball);
for (const version of process.argv.length > 2 ? process.argv.slice(2) : ['20', '22', '24', '26'])
  check(version, tarball);
