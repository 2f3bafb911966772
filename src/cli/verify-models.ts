import { basename } from 'node:path';
import { PerturbqlError } from '../errors.js';
import { embeddedModels, pulledModels, type StoredModel } from '../inference/hub/model-inventory.js';
import { findModelFaults } from '../inference/model-store.js';
import { folderNameOf } from '../inference/models-folder.js';
import { embeddedVectorsPath } from '../reranker/embedded-vectors.js';
import { VectorFile } from '../reranker/vector-file.js';
import { refuseName } from './model-choice.js';
import { nameOf, ONLY_MODELS } from './only-models.js';

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

async function verifyModel({ folder, manifest }: StoredModel): Promise<Finding> {
  const faults: Finding['faults'][number][] = [];
  for await (const fault of findModelFaults({ folder, manifest })) faults.push(toFault(fault));
  return { name: manifest.name, folder, faults };
}

/** Verifies a model that checks itself when it is opened. */
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
function selfChecked(): readonly { readonly name: string; readonly folder: string; readonly open: () => unknown }[] {
  const vectors = embeddedVectorsPath();
  return [
    { name: basename(vectors, '.pqv'), folder: vectors, open: () => VectorFile.open(vectors) },
    ...ONLY_MODELS.map((model) => ({ name: nameOf(model), folder: model.folder(), open: model.open })),
  ];
}

interface Check {
  readonly name: string;
  readonly verify: () => Promise<Finding>;
}

function allChecks(): readonly Check[] {
  const { models, broken } = pulledModels();
  return [
    ...[...embeddedModels(), ...models].map((model) => ({
      name: model.manifest.name,
      verify: () => verifyModel(model),
    })),
    ...selfChecked().map(({ name, folder, open }) => ({ name, verify: () => verifyByOpening(name, folder, open) })),
    ...broken.map(({ name, folder, fault }) => ({
      name,
      verify: () => Promise.resolve({ name, folder, faults: [toFault(fault)] }),
    })),
  ];
}

/** Checks the files of the model of a name, or of all. @throws ConfigError where there is none of that name */
export async function verifyModels(name: string | undefined): Promise<readonly Finding[]> {
  const checks = allChecks();
  const wanted = checks.filter((check) => name === undefined || folderNameOf(check.name) === folderNameOf(name));
  if (wanted.length === 0)
    refuseName(
      name ?? '',
      checks.map((check) => check.name),
    );
  const findings: Finding[] = [];
  for (const { verify } of wanted) findings.push(await verify());
  return findings;
}
