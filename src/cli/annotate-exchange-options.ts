import { EXCHANGE_FORMATS } from '../annotate/exchange/exchange-formats.js';

/** Options of `annotate import`, `annotate export` and `stats`, for the table of all options. */
export const ANNOTATE_EXCHANGE_OPTIONS = {
  exchangeFormat: {
    flags: '--format <format>',
    description: 'form of the annotations',
    choices: EXCHANGE_FORMATS,
    required: true,
  },
  exchangeKind: {
    flags: '--kind <kind>',
    description: 'items of one kind alone; what a file of adveta holds, which does not say',
    choices: ['rpl', 'add'],
  },
  exchangeOut: {
    flags: '--out <path>',
    description: 'file to write, for label-studio and argilla a folder; what is there is not replaced',
    required: true,
  },
  importProject: {
    flags: '--project <file>',
    description: 'the project to read into; made where there is none',
    required: true,
  },
  statsCandidates: {
    flags: '--candidates <from>',
    description: 'a run folder, a candidates.jsonl, an annotation project, or adveta:DIR for human ones',
    required: true,
  },
} as const;
