// Serves a project until it is killed, as `perturbql annotate serve` does without a judge: node serve-project.mjs FILE PORT
import process from 'node:process';
import { renderGuidelines } from '../../../dist/annotate/guidelines/guidelines.js';
import { AnnotationProject } from '../../../dist/annotate/project/annotation-project.js';
import { createAnnotationApp } from '../../../dist/annotate/server/annotation-app.js';
import { builtPageFolder, PageAssets } from '../../../dist/annotate/server/page-assets.js';
import { hostNamesOf, serveLocally } from '../../../dist/http/local-server.js';

const HOST = '127.0.0.1';
const [file, port] = process.argv.slice(2);
const app = createAnnotationApp(AnnotationProject.open(file), {
  assets: PageAssets.load(builtPageFolder()),
  guidelines: renderGuidelines(),
  hosts: hostNamesOf(HOST),
  onFault(error) {
    throw error;
  },
});
const { url } = await serveLocally(app, HOST, Number(port));
process.stdout.write(`${url}\n`);
