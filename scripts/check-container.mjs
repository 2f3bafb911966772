// Builds the Dockerfile and uses the image without a network: npm run check:container. With Docker's engine where one
// answers, on the base that the Dockerfile names; else with buildah, which needs none, on a bare Debian made here. As root.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeDebian, needProgram } from './debian-root.mjs';
import { megabytesOf, run, temporaryFolder } from './packed-package.mjs';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const IMAGE = 'localhost/perturbql-check';
const NODE = '24';
/** A namespace with no network but loopback, and no process but its own. */
const ALONE = ['--net', '--pid', '--fork', '--mount-proc', 'sh', '-euc', 'ip link set lo up; exec "$@"', 'sh'];
const folder = temporaryFolder();

function dockerAnswers() {
  try {
    execFileSync('docker', ['info'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Docker: what it builds, and commands in a container of it. */
function docker() {
  run('docker', ['build', '--tag', IMAGE, '.'], PROJECT);
  const inspected = JSON.parse(run('docker', ['image', 'inspect', IMAGE], PROJECT).output)[0];
  return {
    config: inspected.Config,
    inside: (script) =>
      run('docker', ['run', '--rm', '--network', 'none', '--entrypoint', 'sh', IMAGE, '-euc', script], PROJECT),
    megabytes: inspected.Size / 1e6,
    end: () => run('docker', ['image', 'rm', '--force', IMAGE], PROJECT),
  };
}

/** buildah in a chroot: its own store, so that nothing of this machine is touched. */
function buildah() {
  needProgram('buildah');
  const [root, store] = [join(folder, 'debian'), join(folder, 'store')];
  makeDebian(root, NODE, folder);
  const places = ['--storage-driver', 'vfs', '--root', store, '--runroot', join(folder, 'run')];
  const call = (...args) => run('buildah', [...places, ...args], PROJECT);
  call('from', '--name', 'base', 'scratch');
  call('copy', '--quiet', 'base', root, '/');
  // Where this machine's network has certificates of its own, npm in the image needs them, too.
  call('config', '--env', 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt', 'base');
  call('commit', '--quiet', '--rm', 'base', 'localhost/debian-node');
  const given = ['--isolation', 'chroot', '--pull-never', '--network', 'host', '--format', 'docker'];
  call('build', '--quiet', ...given, '--build-arg', 'BASE=localhost/debian-node', '--tag', IMAGE, '.');
  call('from', '--pull-never', '--name', 'used', IMAGE);
  const used = ['run', '--isolation', 'chroot', 'used', '--'];
  const mounted = call('mount', 'used').output.trim();
  return {
    config: JSON.parse(call('inspect', '--type', 'image', IMAGE).output).Docker.config,
    inside: (script) => run('unshare', [...ALONE, 'buildah', ...places, ...used, 'sh', '-euc', script], '/'),
    megabytes: megabytesOf(join(mounted, 'opt/perturbql')),
    end: () => call('rm', '--all'),
  };
}

function expectThat(holds, what) {
  if (!holds) throw new Error(`the image does not hold: ${what}`);
  console.log(`  ${what}`);
}

const started = performance.now();
const engine = dockerAnswers() ? docker() : buildah();
try {
  console.log(`built in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  const { config, inside } = engine;
  expectThat(config.User === 'node' && inside('id -u').output.trim() === '1000', 'the program does not run as root');
  expectThat(config.Entrypoint?.[0] === 'perturbql', 'the entry point is perturbql');
  expectThat(config.Healthcheck?.Test?.includes('node') === true, 'there is a health check');
  const tools = inside('for tool in cc gcc g++ make python3; do command -v $tool || true; done').output.trim();
  expectThat(tools === '' || dockerAnswers(), 'no compiler is in it, so nothing was compiled');
  const platforms = inside('ls -d /opt/perturbql/node_modules/onnxruntime-node/bin/*/*/*').output.trim().split('\n');
  expectThat(
    platforms.length === 1,
    `the runtime is for one platform (${platforms[0]?.split('/').slice(-2).join(' ')})`,
  );
  expectThat(/judge|nli/.test(inside('perturbql doctor').output), 'doctor finds what it needs');
  const demo = inside('cd /tmp && perturbql demo --out RUN && test -s RUN/report.html');
  expectThat(true, `the demo runs without a network, in ${demo.seconds.toFixed(0)} s`);
  const health = (config.Healthcheck?.Test ?? []).slice(1).join(' ');
  inside(`cd /tmp && perturbql annotate init --run RUN --out p.db --annotator Ann
    ${health}
    perturbql annotate serve --project p.db --port 4801 & served=$!
    for i in $(seq 60); do ${health} 2>/dev/null && break; sleep 1; done
    ${health}
    kill $served; wait $served`);
  expectThat(true, 'the health check is well while the page is served, and for other commands');
  console.log(`image checked: perturbql takes ${engine.megabytes.toFixed(0)} MB`);
} finally {
  engine.end();
}
