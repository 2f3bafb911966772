import { z } from 'zod';
import { PerturbqlError } from '../errors.js';
import { embeddedModels, pulledModels, type StoredModel } from '../inference/hub/model-inventory.js';
import { findModelFaults } from '../inference/model-store.js';
import { folderNameOf } from '../inference/models-folder.js';
import { embeddedFluencyFolder, FluencyModel } from '../metamorphic/fluency/fluency-model.js';
import { embeddedVectorsPath } from '../reranker/embedded-vectors.js';
import { VectorFile } from '../reranker/vector-file.js';
import { refuseName } from './model-choice.js';
import type { CommandResult, RawOptions } from './options.js';
import { parseOptions } from './run-context.js';

const schema = z.object({ json: z.boolean().default(false) });

interface Finding {
  readonly name: string;
  readonly folder: string;
  readonly faults: readonly { readonly message: string; readonly file: string; readonly fix: string }[];
}

const toFault = ({ message, where, fix }: PerturbqlError): Finding['faults'][number] => ({
  message,
  file: where.file ?? '',
  fix,
});

async function verifyModel({ folder, manifest }: StoredModel): Promise<Finding> {
  const faults: Finding['faults'][number][] = [];
  for await (const fault of findModelFaults({ folder, manifest })) faults.push(toFault(fault));
  return { name: manifest.name, folder, faults };
}

/** What checks itself when it is opened. */
async function verifyByOpening(name: string, folder: string, open: () => unknown): Promise<Finding> {
  try {
    await open();
    return { name, folder, faults: [] };
  } catch (error) {
    if (!(error instanceof PerturbqlError)) throw error;
    return { name, folder, faults: [toFault(error)] };
  }
}

/** The embedded models that are no networks. */
const SELF_CHECKED = [
  { name: 'retrofitted-glove', path: embeddedVectorsPath, open: (file: string) => VectorFile.open(file) },
  { name: 'perturbql-fluency', path: embeddedFluencyFolder, open: (folder: string) => FluencyModel.open(folder) },
] as const;

/** `perturbql models verify`. */
export async function run(raw: RawOptions, name?: string): Promise<CommandResult> {
  const { json } = parseOptions(schema, raw);
  const { models, broken } = pulledModels();
  const jobs: readonly { readonly name: string; readonly verify: () => Promise<Finding> }[] = [
    ...[...embeddedModels(), ...models].map((model) => ({
      name: model.manifest.name,
      verify: () => verifyModel(model),
    })),
    ...SELF_CHECKED.map(({ name: own, path, open }) => ({
      name: own,
      verify: () => verifyByOpening(own, path(), () => open(path())),
    })),
    ...broken.map(({ name: own, folder, fault }) => ({
      name: own,
      verify: () => Promise.resolve({ name: own, folder, faults: [toFault(fault)] }),
    })),
  ];
  const wanted = jobs.filter((job) => name === undefined || folderNameOf(job.name) === folderNameOf(name));
  if (wanted.length === 0)
    refuseName(
      name!,
      jobs.map((job) => job.name),
    );
  const findings: Finding[] = [];
  for (const { verify } of wanted) findings.push(await verify());
  if (json) console.log(JSON.stringify(findings, null, 2));
  else for (const line of findings.flatMap(render)) console.log(line);
  return findings.some((finding) => finding.faults.length > 0) ? 'failed-check' : undefined;
}

function render({ name, folder, faults }: Finding): readonly string[] {
  if (faults.length === 0) return [`ok      ${name}  ${folder}`];
  return [
    `broken  ${name}`,
    ...faults.flatMap(({ file, message, fix }) => [`        ${file}: ${message}`, `        fix: ${fix}`]),
  ];
}
