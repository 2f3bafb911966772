// The pipeline alone decides candidates for one column; nothing is written.
import { fileURLToPath } from 'node:url';
import * as cta from 'perturbql/candidates';

const inExamples = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const paths = { dataset: 'spider', tables: inExamples('tables.json'), examples: inExamples('dev.json') };
const dataset = await cta.loadDataset({ ...paths, databases: null, connection: null });
const [table] = dataset.databases.get('planetarium').tables;
const target = { dbId: 'planetarium', table, questions: [], values: table.columns.map(() => []) };
const resources = new cta.StageResources(cta.parseSettings({}), cta.RECIPES.cta);
const stages = await cta.createStages(resources);
const context = cta.createStageContext(0, cta.NOOP_HOST);
for await (const { decisions } of cta.runPipeline([{ id: 'dome name', target, columns: [1] }], stages, context)) {
  const accepted = decisions.filter(({ bucket }) => bucket !== 'rejected');
  console.log(accepted.map(({ bucket, candidate }) => `${bucket} ${candidate}`).join('\n'));
}
await resources.dispose();
