import { embeddedParserFolder, readParserFiles, readParserManifest } from '../compositional/parser/model-files.js';
import { embeddedFluencyFolder, FluencyModel, readFluencyManifest } from '../fluency/fluency-model.js';
import { locateModel } from '../inference/model-store.js';
import {
  AcceptabilityModel,
  embeddedAcceptabilityFolder,
  readAcceptabilityManifest,
} from '../nli/acceptability/acceptability-model.js';
import { embeddedHeadFolder, EntityHead, readHeadManifest } from '../tpe/entity-head.js';

/**
 * Embedded models that no other can stand in for, by the last word of their name: what each is, the command that uses
 * it, and how it is opened, which checks its hashes.
 */
export const FIXED_MODELS = [
  {
    word: 'fluency',
    what: 'fluency model',
    user: 'mutate',
    folder: embeddedFluencyFolder,
    manifest: () => readFluencyManifest(),
    open: () => FluencyModel.open(),
  },
  {
    word: 'parser',
    what: 'dependency parser',
    user: 'split',
    folder: embeddedParserFolder,
    manifest: () => readParserManifest(),
    open: () => readParserFiles(),
  },
  {
    word: 'entity',
    what: 'model of primary entities',
    user: 'candidates',
    folder: embeddedHeadFolder,
    manifest: () => readHeadManifest(),
    open: () => EntityHead.open(locateModel('table-context-encoder').sha256),
  },
  {
    word: 'acceptability',
    what: 'model of how names read',
    user: 'candidates',
    folder: embeddedAcceptabilityFolder,
    manifest: () => readAcceptabilityManifest(),
    open: () => AcceptabilityModel.open(),
  },
] as const;

/** One of them. */
export type FixedModel = (typeof FIXED_MODELS)[number];

/** Name of such a model, as its manifest says; told without reading it, as it may be broken. */
export const nameOf = ({ word }: FixedModel): string => `perturbql-${word}`;
