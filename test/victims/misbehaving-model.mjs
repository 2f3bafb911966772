// A model behind a command: does what each question tells it. Notes its starts in the file it is given.
import { appendFileSync, existsSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setInterval, setTimeout } from 'node:timers';

const [, , notes, mood] = process.argv;
appendFileSync(notes, `${process.pid}\n`);
if (mood === 'dead') {
  process.stderr.write('no module named torch\n');
  process.exit(3);
}
if (mood === 'deaf') process.on('SIGTERM', () => undefined);
if (mood === 'stubborn' || mood === 'deaf') setInterval(() => undefined, 1_000);

const say = (text) => writeSync(1, text);
const reply = (id, more = {}) => say(`${JSON.stringify({ id, sql: `SELECT '${id}'`, ...more })}\n`);

function firstTime(id) {
  const file = `${notes}.${id}`;
  if (existsSync(file)) return false;
  writeFileSync(file, readFileSync(notes));
  return true;
}

const BEHAVIORS = {
  answer: reply,
  chat: (id) => reply(id, { sql: '```sql\nSELECT 1;\n```' }),
  nothing: (id) => reply(id, { sql: null }),
  late: (id) => void setTimeout(() => reply(id), 50),
  pieces: (id) => {
    say('{"id": ');
    void setTimeout(() => say(`${JSON.stringify(id)}, "sql": "SELECT 'é'"}\r\n\n`), 20);
  },
  crash: () => {
    writeSync(2, 'boom\n');
    process.exit(1);
  },
  'crash-once': (id) => (firstTime(id) ? process.exit(1) : reply(id)),
  leave: () => process.exit(0),
  'last-words': (id) => {
    reply(id);
    process.exit(0);
  },
  hang: () => undefined,
  stubborn: () => {
    process.on('SIGTERM', () => undefined);
    setInterval(() => undefined, 1_000);
  },
  'wrong-id': () => reply('another'),
  twice: (id) => {
    reply(id);
    reply(id);
  },
  garbage: (id) => say(`{"id": "${id}", "sql\n`),
  words: () => say('Loading the model\n'),
  list: () => say('[1]\n'),
  endless: () => {
    for (let i = 0; i < 20; i++) say('x'.repeat(1 << 20));
  },
  error: (id) => reply(id, { error: 'out of memory' }),
  flood: (id) => {
    for (let i = 0; i < 64; i++) writeSync(2, 'warning\n'.repeat(8_192));
    reply(id);
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, question } = JSON.parse(line);
  BEHAVIORS[question.split(' ')[0]](id);
});
