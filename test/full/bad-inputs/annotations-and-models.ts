import { gzipSync } from 'node:zlib';
import { BARE, OUT, lines, database, group, type BadInput, type Row } from './bad-input.js';

const project = (...more: readonly string[]): readonly string[] => ['annotate', ...more];
const ANNOTATE: readonly Row[] = [
  ['init of no run', project('init', '--run', 'nowhere', '--out', 'p.db'), 'nowhere: there is no such run'],
  [
    'init of nothing accepted',
    project('init', '--run', 'c.jsonl', ...BARE, '--out', 'p.db', '--annotator', 'Ada'),
    'c.jsonl: this is neither candidates nor an annotation project',
    { 'c.jsonl': '' },
  ],
  [
    'init onto a file',
    project('init', '--run', 'c.jsonl', ...BARE, '--out', 'p.db', '--annotator', 'Ada'),
    'p.db: the file exists',
    { 'c.jsonl': '', 'p.db': 'mine' },
  ],
  [
    'status of no project',
    project('status', '--project', 'p.db'),
    'p.db: the project can’t be opened',
    { 'p.db': 'this is no project but a text of some length' },
  ],
  [
    'status of another database',
    project('status', '--project', 'p.db'),
    'p.db: this is not an annotation project',
    { 'p.db': database('CREATE TABLE t(a)') },
  ],
  [
    'invite to an empty file',
    project('invite', 'Ada', '--project', 'p.db'),
    'p.db: this is not an annotation project',
    { 'p.db': '' },
  ],
  ['agreement of no project', project('agreement', '--project', 'nowhere.db'), 'nowhere.db: there is no such file'],
  [
    'export of no project',
    project('export', '--project', 'nowhere.db', '--format', 'csv', '--out', 'o.csv'),
    'nowhere.db: there is no such file',
  ],
  [
    'export in a form that there is not',
    project('export', '--project', 'p.db', '--format', 'xml', '--out', 'o'),
    "option '--format <format>' argument 'xml' is invalid. Allowed choices are adveta, jsonl, csv, label-studio, argilla.",
    { 'p.db': '' },
  ],
  [
    'import of nothing',
    project('import', 'a.jsonl', '--project', 'p.db', '--format', 'jsonl'),
    'a.jsonl: the file is empty',
    { 'a.jsonl': '' },
  ],
  [
    'import of another version',
    project('import', 'a.jsonl', '--project', 'p.db', '--format', 'jsonl'),
    'a.jsonl:1, head: field "version" is wrong: 1 is expected',
    { 'a.jsonl': lines({ format: 'perturbql annotations', version: 9 }) },
  ],
  [
    'import of a table without columns',
    project('import', 'a.csv', '--project', 'p.db', '--format', 'csv'),
    'a.csv:1: there is no column "id"',
    { 'a.csv': 'a,b\n1,2\n' },
  ],
  [
    'import of ADVETA’s lists without their kind',
    project('import', 'a.json', '--project', 'p.db', '--format', 'adveta'),
    'option --kind is missing: a file of adveta holds one kind and doesn’t say which',
    { 'a.json': {} },
  ],
  [
    'import of Label Studio’s tasks that are none',
    project('import', 'a.json', '--project', 'p.db', '--format', 'label-studio'),
    'a.json: a JSON array of tasks is expected',
    { 'a.json': { a: 1 } },
  ],
  [
    'import of Argilla’s records that are none',
    project('import', 'a', '--project', 'p.db', '--format', 'argilla'),
    'a/records.json:1: this is not JSON',
    { 'a/records.json': '[' },
  ],
  [
    'a page for other machines',
    project('serve', '--project', 'p.db', '--host', '0.0.0.0'),
    '0.0.0.0 can be reached from other machines',
    { 'p.db': '' },
  ],
];

const MODEL = 'config.json';
const INDEX_AND_MODELS: readonly Row[] = [
  [
    'index build of an empty folder',
    ['index', 'build', '--from', 'corpus', ...OUT],
    'corpus: no table of the corpus can be used (unknown kind of file: 1)',
    { 'corpus/readme.md': '' },
  ],
  [
    'index build of lines that are none',
    ['index', 'build', '--from', 'corpus', ...OUT],
    'corpus: no table of the corpus can be used (malformed record: 2)',
    { 'corpus/a.jsonl': '{"id": 1\n[]\n' },
  ],
  [
    'index build of a torn archive',
    ['index', 'build', '--from', 'corpus', ...OUT],
    'corpus: no table of the corpus can be used (unreadable file: 1)',
    { 'corpus/a.jsonl.gz': gzipSync(lines({ id: 'a' })).subarray(0, 12) },
  ],
  [
    'index build of nothing',
    ['index', 'build', '--from', 'nowhere', ...OUT],
    'nowhere: the table corpus does not exist',
  ],
  [
    'index build of no width',
    ['index', 'build', '--from', 'corpus', '--min-columns', '9', '--max-columns', '2', ...OUT],
    'no table has 9 to 2 columns',
    { 'corpus/a.jsonl': '' },
  ],
  ['index info of no index', ['index', 'info', '.'], 'manifest.json: the index has no manifest.json'],
  ['index query without a table', ['index', 'query'], 'there is nothing to look for'],
  [
    'index query for no tables',
    ['index', 'query', '--title', 'a', '--columns', 'b', '--top', '0'],
    'option --top is wrong: a number above 0 is expected',
  ],
  [
    'models pull of an empty folder',
    ['models', 'pull', './model', '--task', 'nli', '--name', 'mine'],
    'model: the model has no ONNX file',
    { 'model/readme.md': '' },
  ],
  [
    'models pull of a pointer',
    ['models', 'pull', './model', '--task', 'nli', '--name', 'mine'],
    'model/onnx/model.onnx: this is a Git LFS pointer, not the file',
    {
      [`model/${MODEL}`]: {},
      'model/tokenizer.json': {},
      'model/tokenizer_config.json': {},
      'model/onnx/model.onnx': 'version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 9\n',
    },
  ],
  [
    'models pull of what can’t be read',
    ['models', 'pull', './model', '--task', 'nli', '--name', 'mine'],
    'config.json of the model is not what transformers writes',
    {
      [`model/${MODEL}`]: '{',
      'model/tokenizer.json': {},
      'model/tokenizer_config.json': {},
      'model/onnx/model.onnx': 'x',
    },
  ],
  [
    'models pull of vectors that are none',
    ['models', 'pull', './v.txt', '--task', 'vectors', '--name', 'mine'],
    './v.txt:2: expected a term and 4 numbers, found 2 after the term',
    { 'v.txt': '3 4\nname 0.1 x\n' },
  ],
  ['models use of nothing', ['models', 'use', 'nothing'], 'there is no model "nothing" here'],
  ['models verify of nothing', ['models', 'verify', 'nothing'], 'there is no model "nothing" here'],
];

/** Of annotation projects, indexes and models. */
export const ANNOTATIONS_AND_MODELS: readonly BadInput[] = [
  ...group('annotate', ANNOTATE),
  ...group('index and models', INDEX_AND_MODELS),
];
