import { basename } from 'node:path';
import { PerturbqlError } from '../errors.js';
import { embeddedModels, pulledModels, type StoredModel } from '../inference/hub/model-inventory.js';
import { findModelFaults } from '../inference/model-store.js';
import { folderNameOf } from '../inference/models-folder.js';
import { embeddedVectorsPath } from '../reranker/embedded-vectors.js';
import { VectorFile } from '../reranker/vector-file.js';
import { refuseName } from './model-choice.js';
import { nameOf, FIXED_MODELS } from './fixed-models.js';

/** The faults in the files of a model. */
export interface Finding {
  readonly name: string;
  readonly folder: string;
  readonly faults: readonly { readonly message: string; readonly file: string; readonly fix: string }[];
}

const toFault = ({ message, where, fix }: PerturbqlError): Finding['faults'][number] => ({
  message,
  file: where.file ?? '',
  fix,
});

async function faultsOfFiles(model: StoredModel): Promise<readonly PerturbqlError[]> {
  const faults: PerturbqlError[] = [];
  for await (const fault of findModelFaults(model)) faults.push(fault);
  return faults;
}

/** The fault of a model that checks itself when it is opened. */
async function faultOfOpening(open: () => unknown): Promise<readonly PerturbqlError[]> {
  try {
    await open();
    return [];
  } catch (error) {
    if (!(error instanceof PerturbqlError)) throw error;
    return [error];
  }
}

/** The models whose files can be checked. */
function checkedModels() {
  const { models, broken } = pulledModels();
  const vectors = embeddedVectorsPath();
  const opened = [
    { name: basename(vectors, '.pqv'), folder: vectors, open: () => VectorFile.open(vectors) },
    ...FIXED_MODELS.map((model) => ({ name: nameOf(model), folder: model.folder(), open: model.open })),
  ];
  return [
    ...[...embeddedModels(), ...models].map((model) => {
      return { name: model.manifest.name, folder: model.folder, faultsOf: () => faultsOfFiles(model) };
    }),
    ...opened.map(({ open, ...model }) => ({ ...model, faultsOf: () => faultOfOpening(open) })),
    ...broken.map(({ fault, ...model }) => ({ ...model, faultsOf: () => Promise.resolve([fault]) })),
  ];
}

/** Checks the files of the model of a name, or of all. @throws ConfigError where there is none of that name */
export async function verifyModels(name?: string): Promise<readonly Finding[]> {
  const models = checkedModels();
  const wanted = models.filter((model) => name === undefined || folderNameOf(model.name) === folderNameOf(name));
  const names = models.map((model) => model.name);
  if (wanted.length === 0) refuseName(name ?? '', names);
  const findings: Finding[] = [];
  for (const { faultsOf, ...model } of wanted) findings.push({ ...model, faults: (await faultsOf()).map(toFault) });
  return findings;
}
