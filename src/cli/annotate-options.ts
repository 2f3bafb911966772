import { ROLES } from '../annotate/annotation.js';
import { DATASET_FORMATS } from '../formats/dataset-formats.js';

/** Options of the `annotate` commands, for the table of all options. */
export const ANNOTATE_OPTIONS = {
  annotateRun: {
    flags: '--run <run>',
    description: 'folder of candidates or augment, a candidates.jsonl, or adveta:DIR',
    required: true,
  },
  annotateDataset: {
    flags: '--dataset <format>',
    description: 'format of the data set (default: that of the run; paths likewise)',
    choices: DATASET_FORMATS,
  },
  projectOut: {
    flags: '--out <file>',
    description: 'the project to make; an existing file is refused',
    required: true,
  },
  project: { flags: '--project <file>', description: 'the project, as annotate init made it', required: true },
  annotator: { flags: '--annotator <name>', description: 'someone who answers', repeat: true },
  reviewer: { flags: '--reviewer <name>', description: 'someone who sees all answers and decides', repeat: true },
  overlap: { flags: '--overlap <n>', description: 'annotators per chunk; agreement needs two', default: '1' },
  chunkSize: {
    flags: '--chunk-size <n>',
    description: 'most items of a chunk; a table’s columns stay together',
    default: '20',
  },
  listLength: { flags: '--list-length <n>', description: 'most candidates of a list', default: '20' },
  annotateKind: {
    flags: '--kind <kind>',
    description: 'names that replace a column, columns that join its table, or both',
    choices: ['rpl', 'add', 'both'],
    default: 'both',
  },
  qualification: {
    flags: '--qualification',
    description: 'let annotators begin when they have answered three in four known items right',
  },
  role: { flags: '--role <role>', description: 'what a new person does (default: annotator)', choices: ROLES },
  port: { flags: '--port <n>', description: 'port of the page; 0 takes any free one', default: '4747' },
  host: { flags: '--host <address>', description: 'address that the page is served at', default: '127.0.0.1' },
  allowRemote: {
    flags: '--allow-remote',
    description: 'serve at an address that other machines reach; nothing on the way is encrypted',
  },
  noJudge: { flags: '--no-judge', description: 'do not ask the judge whether a written name means another column' },
} as const;
