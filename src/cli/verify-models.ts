import { PerturbqlError } from '../errors.js';
import { embeddedModels, pulledModels, type StoredModel } from '../inference/hub/model-inventory.js';
import { findModelFaults, locateModel } from '../inference/model-store.js';
import { folderNameOf } from '../inference/models-folder.js';
import { EnglishParser } from '../compositional/parser/english-parser.js';
import { embeddedParserFolder } from '../compositional/parser/model-files.js';
import { embeddedFluencyFolder, FluencyModel } from '../fluency/fluency-model.js';
import { AcceptabilityModel, embeddedAcceptabilityFolder } from '../nli/acceptability/acceptability-model.js';
import { embeddedVectorsPath } from '../reranker/embedded-vectors.js';
import { VectorFile } from '../reranker/vector-file.js';
import { embeddedHeadFolder, EntityHead } from '../tpe/entity-head.js';
import { refuseName } from './model-choice.js';

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
const SELF_CHECKED = [
  { name: 'retrofitted-glove', path: embeddedVectorsPath, open: (file: string) => VectorFile.open(file) },
  {
    name: 'perturbql-parser',
    path: embeddedParserFolder,
    open: async (folder: string) => (await EnglishParser.open(folder)).close(),
  },
  { name: 'perturbql-fluency', path: embeddedFluencyFolder, open: (folder: string) => FluencyModel.open(folder) },
  {
    name: 'perturbql-entity',
    path: embeddedHeadFolder,
    open: (folder: string) => EntityHead.open(locateModel('table-context-encoder').sha256, folder),
  },
  {
    name: 'perturbql-acceptability',
    path: embeddedAcceptabilityFolder,
    open: (folder: string) => AcceptabilityModel.open(folder),
  },
] as const;

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
    ...SELF_CHECKED.map(({ name, path, open }) => ({
      name,
      verify: () => verifyByOpening(name, path(), () => open(path())),
    })),
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
