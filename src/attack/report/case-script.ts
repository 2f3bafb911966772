import { QUERY_TOKEN } from '../../report/query-diff.js';

/** Examples on one page of the list. */
const PAGE = 20;
/** Cells of a comparison of two queries; beyond that nothing is underlined. Cost is tokens × tokens. */
const MOST_CELLS = 250_000;

/**
 * The script of the case browser. It reads the data that `packCases` packed, keeps them packed, and builds what is looked
 * at, by textContent alone: nothing of the data is ever read as markup.
 */
export const CASE_SCRIPT = `
if (document.getElementById('case-browser') !== null) {
  const data = JSON.parse(document.getElementById('case-data').textContent);
  const byId = (id) => document.getElementById(id);
  const KINDS = ['RPL', 'ADD'];
  const METRICS = { exact: 2, execution: 3 };
  const METRIC_NAMES = { exact: 'exact', execution: 'execution' };
  const CORRECT = data.outcomes.indexOf('correct');
  const STATUS_NAMES = { broken: 'broken', survived: 'survived', fixed: 'fixed', wrong: 'wrong before and after', '': 'not scored' };
  const text = (at) => data.strings[at];
  const filters = Object.fromEntries(
    [...document.querySelectorAll('#case-browser [data-filter]')].map((field) => [field.dataset.filter, field]),
  );
  const valueOf = (name) => filters[name]?.value ?? '';
  let [found, page, focus] = [[], 0, null];

  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null && value !== false) element.setAttribute(name, value);
    }
    element.append(...children.filter((child) => child !== null && child !== false));
    return element;
  };
  const name = (value) => (value.trim() === '' ? make('i', {}, '(empty)') : make('bdi', {}, value));

  const answerOf = (variant) => variant[5];
  const statusOf = (one, variant) => {
    const at = METRICS[valueOf('metric')];
    const [before, after] = [one[5][at], answerOf(variant)[at]];
    if (before < 0 || after < 0) return '';
    if (before === CORRECT) return after === CORRECT ? 'survived' : 'broken';
    return after === CORRECT ? 'fixed' : 'wrong';
  };

  // Search: which strings hold each word, then which cases hold such a string. Quotes keep words together.
  let lower = null;
  const hitsOf = (wanted) => {
    const words = (wanted.toLowerCase().match(/"[^"]*"|\\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
    if (words.length === 0) return [];
    lower ??= data.strings.map((string) => string.toLowerCase());
    return words.map((word) => Uint8Array.from(lower, (string) => Number(string.includes(word))));
  };
  const inExample = (hit, [id, db, question, , gold, answer]) =>
    hit[id] === 1 || hit[db] === 1 || hit[question] === 1 || hit[gold] === 1 || hit[answer[0]] === 1;
  const inVariant = (hit, variant) =>
    hit[variant[2]] === 1 || hit[answerOf(variant)[0]] === 1 ||
    variant[4].some((change) => data.changes[change].some((string) => hit[string] === 1));
  const inFocus = (variant) => variant[4].some((at) => {
    const [table, column, candidate] = data.changes[at];
    return text(table) === focus.table && text(column) === focus.column &&
      (focus.candidate === null || text(candidate) === focus.candidate);
  });

  const find = () => {
    const [database, hardness, kind, seed, status] = ['database', 'hardness', 'kind', 'seed', 'status'].map(valueOf);
    const hits = hitsOf(valueOf('search'));
    found = [];
    data.cases.forEach((one, index) => {
      if (database !== '' && text(one[1]) !== database) return;
      if (hardness !== '' && text(one[3]) !== hardness) return;
      const missing = hits.filter((hit) => !inExample(hit, one));
      const variants = [...one[6].keys()].filter((at) => {
        const variant = one[6][at];
        return (kind === '' || KINDS[variant[0]] === kind) &&
          (seed === '' || String(variant[1]) === seed) &&
          (status === '' || statusOf(one, variant) === status) &&
          (focus === null || inFocus(variant)) &&
          missing.every((hit) => inVariant(hit, variant));
      });
      const isBare = one[6].length === 0 && kind + seed + status === '' && focus === null && missing.length === 0;
      if (variants.length > 0 || isBare) found.push({ index, variants });
    });
  };

  // Queries: what the perturbation renamed or added is marked, and what a wrong answer has differently is underlined.
  const TOKEN = new RegExp(${JSON.stringify(QUERY_TOKEN.source)}, 'gu');
  const bare = (token) => token.replace(/^["\`\\[']|["\`\\]']$/g, '').toLowerCase();
  const different = (tokens, gold) => {
    const [a, b] = [tokens, gold.match(TOKEN) ?? []].map((list) => list.map((token) => token.toLowerCase()));
    const all = new Uint8Array(a.length).fill(1);
    if (a.length * b.length > ${MOST_CELLS}) return all.fill(0);
    const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
    for (let i = a.length - 1; i >= 0; i--) {
      for (let j = b.length - 1; j >= 0; j--) {
        lengths[i][j] = a[i] === b[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
      }
    }
    for (let i = 0, j = 0; i < a.length && j < b.length;) {
      if (a[i] === b[j]) { all[i++] = 0; j++; }
      else if (lengths[i + 1][j] >= lengths[i][j + 1]) i++;
      else j++;
    }
    return all.map((flag, i) => (tokens[i].trim() === '' ? Number(all[i - 1] === 1 && all[i + 1] === 1) : flag));
  };
  const query = (sql, marks, gold = null) => {
    const tokens = sql.match(TOKEN) ?? [];
    const underlined = gold === null ? null : different(tokens, gold);
    const pieces = [];
    let [run, isUnder] = ['', false];
    const flush = () => {
      if (run !== '') pieces.push(isUnder ? make('u', {}, run) : run);
      run = '';
    };
    tokens.forEach((token, i) => {
      const under = underlined?.[i] === 1;
      const mark = marks.get(bare(token));
      if (under !== isUnder || mark !== undefined) flush();
      isUnder = under;
      if (mark === undefined) run += token;
      else {
        const marked = make('mark', { class: mark.class, title: mark.title }, token);
        pieces.push(under ? make('u', {}, marked) : marked);
      }
    });
    flush();
    return make('pre', {}, ...pieces);
  };

  const tag = (label, className) => make('span', { class: 'verdict ' + className }, label);
  const verdicts = (answer) => data.metrics.map((metric) => {
    const outcome = answer[METRICS[metric]];
    if (outcome < 0) return null;
    return tag((outcome === CORRECT ? '✓ ' : '✗ ') + METRIC_NAMES[metric] + (outcome === CORRECT ? '' : ': ' + data.outcomes[outcome]),
      outcome === CORRECT ? 'good' : 'bad');
  }).filter((one) => one !== null);

  const answerCell = (answer, marks, gold) => {
    const isWrong = answer[METRICS[valueOf('metric')]] !== CORRECT;
    const cleaned = answer.slice(4).map(text);
    return [
      answer[0] < 0
        ? make('p', { class: 'none' }, 'No answer: ' + (data.failures[answer[1]] ?? 'none was given') + '.')
        : query(text(answer[0]), marks, isWrong ? gold : null),
      make('p', { class: 'verdicts' }, ...verdicts(answer)),
      cleaned.length > 0 && make('p', { class: 'sub' }, 'Cleaned away: ' + cleaned.join(', ')),
    ].filter(Boolean);
  };

  const tableCells = (one, changes, kind) => {
    const tables = [...new Set(changes.map(([table]) => table))];
    const lists = tables.map((table) => {
      const own = changes.filter((change) => change[0] === table);
      const known = data.tables.find(([db, known]) => db === one[1] && known === table);
      const columns = known?.[2] ?? [...new Set(own.map((change) => change[3]))];
      const before = [];
      const after = [];
      for (const column of columns) {
        const mine = own.filter((change) => text(change[3]).toLowerCase() === text(column).toLowerCase());
        before.push(kind === 0 && mine.length > 0 ? make('mark', { class: 'rpl' }, name(text(column))) : name(text(column)));
        if (kind === 0 && mine.length > 0) after.push(make('mark', { class: 'rpl' }, name(text(mine[0][4]))));
        else after.push(name(text(column)), ...mine.map((change) => make('mark', { class: 'add' }, '+ ', name(text(change[4])))));
      }
      const item = (columns) => make('p', { class: 'table' }, make('span', { class: 'dot' }, name(text(table)), ': '),
        ...columns.flatMap((column, i) => (i === 0 ? [column] : [' · ', column])));
      return [item(before), item(after)];
    });
    return [lists.map(([before]) => before), lists.map(([, after]) => after)];
  };

  const row = (label, left, right) => make('div', { class: 'pair' },
    ...[['before', left], ['after', right]].map(([side, content]) =>
      make('div', { class: side }, make('p', { class: 'label' }, label), ...content)));

  const marksOf = (changes, kind) => {
    const [left, right] = [new Map(), new Map()];
    for (const [, , , before, after] of changes) {
      const names = [text(before), text(after)];
      if (kind === 0) {
        left.set(bare(names[0]), { class: 'rpl', title: 'renamed to ' + names[1] });
        if (!right.has(bare(names[0]))) right.set(bare(names[0]), { class: 'stale', title: 'the old name of ' + names[1] });
        right.set(bare(names[1]), { class: 'rpl', title: 'was ' + names[0] });
      } else right.set(bare(names[1]), { class: 'add', title: 'an added column' });
    }
    return [left, right];
  };

  const comparison = (one, variant) => {
    const [kind, seed, gold, queries, positions, answer] = variant;
    const changes = positions.map((at) => data.changes[at]);
    const [left, right] = marksOf(changes, kind);
    const [before, after] = tableCells(one, changes, kind);
    const status = statusOf(one, variant);
    // A table other than the changed one may still have a column of the old name; only its gold can tell.
    const inGold = new Set((text(gold).match(TOKEN) ?? []).map(bare));
    for (const [word, mark] of right) if (mark.class === 'stale' && inGold.has(word)) right.delete(word);
    return make('div', { class: 'comparison ' + KINDS[kind].toLowerCase() },
      make('div', { class: 'pair heads' },
        make('h4', { class: 'before' }, 'Original tables'),
        make('h4', { class: 'after' }, make('span', {}, make('span', { class: 'keyed' }, KINDS[kind]), ', seed ' + seed), tag(STATUS_NAMES[status], status || 'none'))),
      row('Tables', before, after),
      row('Gold SQL', [query(text(one[4]), left)], [query(text(gold), right)]),
      row('Answer', answerCell(one[5], left, text(one[4])), answerCell(answer, right, text(gold))),
      make('p', { class: 'meta' },
        changes.map((change) => text(change[0]) + ' . ' + text(change[1]) + (kind === 0 ? ' → ' : ' + ') + text(change[2])).join('; '),
        queries > 1 ? '; ' + queries + ' questions were asked to find it' : '', ' ',
        make('a', { href: linkTo(one, variant) }, 'Link to this case')));
  };

  const linkTo = (one, variant) =>
    '#case=' + [encodeURIComponent(text(one[0])), ...(variant === undefined ? [] : [KINDS[variant[0]], variant[1]])].join('/');

  const show = (body, one, at) => {
    for (const button of body.querySelectorAll('button')) button.setAttribute('aria-pressed', String(button.dataset.at === String(at)));
    body.lastChild.replaceWith(comparison(one, one[6][at]));
  };
  const fill = (body, { index, variants }, wanted) => {
    const one = data.cases[index];
    if (one[6].length === 0) {
      body.replaceChildren(make('p', { class: 'note' }, 'It was not perturbed.'), query(text(one[4]), new Map()), ...answerCell(one[5], new Map(), text(one[4])));
      return;
    }
    const listed = new Set(variants);
    const groups = KINDS.map((label, kind) => {
      const own = [...one[6].keys()].filter((at) => one[6][at][0] === kind);
      if (own.length === 0) return null;
      return make('div', { class: 'chips ' + label.toLowerCase(), role: 'group', 'aria-label': label + ' by seed' },
        make('span', { class: 'keyed' }, label),
        ...own.map((at) => {
          const status = statusOf(one, one[6][at]);
          const button = make('button', { type: 'button', 'data-at': at, class: 'chip ' + (status || 'none') + (listed.has(at) ? '' : ' other'),
            title: STATUS_NAMES[status] + (listed.has(at) ? '' : ', not among what the filters ask for'),
            'aria-label': label + ', seed ' + one[6][at][1] + ', ' + STATUS_NAMES[status] }, String(one[6][at][1]));
          button.addEventListener('click', () => {
            show(body, one, at);
            history.replaceState(null, '', linkTo(one, one[6][at]));
          });
          return button;
        }));
    });
    body.replaceChildren(make('div', { class: 'choices' }, ...groups.filter((group) => group !== null)), make('div'));
    const broken = variants.find((at) => statusOf(one, one[6][at]) === 'broken');
    show(body, one, wanted ?? broken ?? variants[0] ?? 0);
  };

  const squares = (one, variants) => KINDS.flatMap((label, kind) => {
    const own = variants.filter((at) => one[6][at][0] === kind);
    if (own.length === 0) return [];
    const counts = {};
    for (const at of own) counts[statusOf(one, one[6][at])] = (counts[statusOf(one, one[6][at])] ?? 0) + 1;
    const words = Object.entries(counts).map(([status, count]) => count + ' ' + STATUS_NAMES[status]).join(', ');
    return [make('span', { class: 'squares', role: 'img', 'aria-label': label + ': ' + words, title: label + ': ' + words },
      label, ...own.map((at) => make('i', { class: statusOf(one, one[6][at]) || 'none' })))];
  });
  const item = (entry) => {
    const one = data.cases[entry.index];
    const body = make('div', { class: 'inside' });
    const details = make('details', { 'data-index': entry.index },
      make('summary', {},
        make('span', { class: 'question' }, text(one[2])),
        make('span', { class: 'line' }, make('span', { class: 'meta' }, name(text(one[1])), ' · ', name(text(one[0])), text(one[3]) === '' ? '' : ' · ' + text(one[3])),
          ...squares(one, entry.variants))),
      body);
    details.addEventListener('toggle', () => {
      if (details.open && body.childNodes.length === 0) fill(body, entry);
    });
    return make('li', {}, details);
  };

  const list = byId('case-list');
  const render = () => {
    const pages = Math.max(1, Math.ceil(found.length / ${PAGE}));
    page = Math.min(Math.max(page, 0), pages - 1);
    list.replaceChildren(...found.slice(page * ${PAGE}, (page + 1) * ${PAGE}).map(item));
    list.start = page * ${PAGE} + 1;
    const variants = found.reduce((sum, entry) => sum + entry.variants.length, 0);
    const count = (number, noun) => number.toLocaleString('en') + ' ' + noun + (number === 1 ? '' : 's');
    byId('case-count').value = found.length === 0 ? 'No case fits.' : count(found.length, 'example') + ', ' + count(variants, 'perturbed case');
    byId('case-page').textContent = 'Page ' + (page + 1) + ' of ' + pages;
    byId('case-previous').disabled = page === 0;
    byId('case-next').disabled = page === pages - 1;
    const isFiltered = focus !== null || Object.entries(filters).some(([key, field]) => key !== 'metric' && field.value !== '');
    byId('case-clear').hidden = !isFiltered;
    byId('case-clear').textContent = focus === null ? 'Clear filters'
      : 'Only ' + focus.table + ' . ' + focus.column + (focus.candidate === null ? '' : ': ' + focus.candidate) + ' ×';
  };
  const refresh = () => { page = 0; find(); render(); };
  const clear = () => {
    focus = null;
    for (const [key, field] of Object.entries(filters)) if (key !== 'metric') field.value = '';
  };
  const turn = (by) => { page += by; render(); byId('cases').scrollIntoView(); };

  const decode = (part) => { try { return decodeURIComponent(part); } catch { return part; } };
  const openCase = ([id, kind, seed]) => {
    const index = data.cases.findIndex((one) => text(one[0]) === id);
    if (index < 0) {
      byId('case-count').value = 'There is no case ' + id + ' in this page.';
      byId('cases').scrollIntoView();
      return;
    }
    clear();
    find();
    const at = found.findIndex((entry) => entry.index === index);
    page = Math.floor(at / ${PAGE});
    render();
    const details = list.querySelector('details[data-index="' + index + '"]');
    const variant = data.cases[index][6].findIndex((one) => KINDS[one[0]] === kind && String(one[1]) === seed);
    fill(details.lastChild, found[at], variant < 0 ? undefined : variant);
    details.open = true;
    details.scrollIntoView();
    details.querySelector('summary').focus({ preventScroll: true });
  };
  const openFind = ([kind, database, table, column, candidate]) => {
    clear();
    filters.kind.value = kind;
    filters.database.value = database;
    focus = { table, column, candidate: candidate ?? null };
    refresh();
    byId('cases').scrollIntoView();
  };
  const follow = () => {
    const [, what, rest] = /^#(case|find)=(.*)$/.exec(location.hash) ?? [];
    if (what === undefined) return;
    (what === 'case' ? openCase : openFind)(rest.split('/').map(decode));
  };

  let waiting = 0;
  for (const [key, field] of Object.entries(filters)) {
    if (key !== 'search') field.addEventListener('change', refresh);
    else field.addEventListener('input', () => { clearTimeout(waiting); waiting = setTimeout(refresh, 120); });
  }
  byId('case-clear').addEventListener('click', () => { clear(); refresh(); });
  byId('case-previous').addEventListener('click', () => turn(-1));
  byId('case-next').addEventListener('click', () => turn(1));
  addEventListener('hashchange', follow);
  byId('case-browser').hidden = false;
  refresh();
  follow();
}
`;
