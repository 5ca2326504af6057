// The list, its filter, the keyboard, and one finding.

const data = JSON.parse(document.getElementById('data').textContent);
const byId = id => document.getElementById(id);
let shown = []; // indices of the findings that pass the filter
let chosen = -1;
let redraw = () => {};

const verdictOf = finding => finding.verdict &&
  element('span', {class: `badge ${finding.verdict.verdict === 'confirmed' ? 'confirmed' : 'other'}`}, finding.verdict.verdict + (finding.verdict.isSimulated ? ', simulated' : ''));

function fillChoice(select, everything, names) {
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) || 0) + 1);
  select.replaceChildren(element('option', {value: ''}, everything), ...[...counts].sort().map(([name, count]) =>
    element('option', {value: name}, `${name} (${count})`)));
}

function filter() {
  const words = byId('words').value.toLowerCase().split(/\s+/).filter(Boolean);
  const {value: check} = byId('check'), {value: file} = byId('file');
  shown = data.findings.flatMap((finding, index) => {
    const text = `${finding.file}:${finding.line} ${finding.message} ${finding.check} ${finding.verdict?.verdict || ''}`.toLowerCase();
    return (!check || finding.check === check) && (!file || finding.file === file) && words.every(word => text.includes(word))
      ? [index] : [];
  });
  byId('count').textContent = shown.length === data.findings.length ? `${shown.length} findings`
    : `${shown.length} of ${data.findings.length} findings`;
  byId('list').replaceChildren(...shown.map(index => {
    const finding = data.findings[index];
    return element('li', {'data-index': index, onclick: () => choose(index)}, finding.message, ' ', verdictOf(finding),
                   element('small', {}, `${finding.file}:${finding.line} · ${finding.check}`));
  }));
  choose(shown.includes(chosen) ? chosen : shown[0] ?? -1);
}

function choose(index) {
  if (index !== chosen || !byId('finding').hasChildNodes()) show(data.findings[index]);
  chosen = index;
  for (const item of byId('list').children) {
    const isChosen = Number(item.dataset.index) === index;
    item.setAttribute('aria-current', isChosen);
    if (isChosen) item.scrollIntoView({block: 'nearest'});
  }
  if (index >= 0) history.replaceState(null, '', `#${index + 1}`);
}

function show(finding) {
  const main = byId('finding');
  main.scrollTop = 0;
  redraw = () => {};
  if (!finding) {
    main.replaceChildren(element('p', {class: 'nothing'}, data.findings.length ? 'Nothing passes the filter.' : 'Nothing was found.'));
    return;
  }
  const story = new Story(finding.steps);
  const lightUp = (file, line) => {
    const isHere = row => row.step.line === line && (row.step.file || finding.file) === file;
    story.rows.forEach((row, index) => list.children[index].classList.toggle('lit', line !== undefined && isHere(row)));
    for (const row of source.box.querySelectorAll('tr[data-line]'))
      row.classList.toggle('lit', row.dataset.line === `${file}:${line}`);
  };
  const source = new SourceView(finding, data.files, lightUp);
  const list = element('ol', {}, ...story.rows.map(row => storyRow(row, finding, source, lightUp)));
  const picture = element('div', {class: 'story'}, list);
  main.replaceChildren(
    element('h2', {}, finding.message),
    element('p', {class: 'where'}, `${finding.file}:${finding.line}:${finding.column} · ${finding.check}`));
  if (finding.verdict) main.append(element('p', {class: 'verdict'}, finding.words));
  if (story.rows.length) main.append(element('h3', {}, 'What happens'), picture);
  if (source.names.length) main.append(element('h3', {}, 'Where'), source.box);
  if (finding.patch) main.append(element('h3', {}, 'What would be right'), patchOf(finding.patch));
  const page = data.checks[finding.check];
  if (page) main.append(element('details', {}, element('summary', {}, `About ${finding.check}`), element('pre', {}, page)));
  redraw = () => {
    picture.querySelector('svg')?.remove();
    if (story.rows.length) picture.prepend(drawStory(story, list));
    source.draw();
  };
  redraw();
}

function storyRow(row, finding, source, lightUp) {
  const {line} = row.step, file = row.step.file || finding.file;
  const text = (data.files[file] || '').split('\n')[line - 1]?.trim();
  const go = () => source.box.querySelector(`[data-line="${CSS.escape(`${file}:${line}`)}"]`)?.scrollIntoView({block: 'center'});
  return element('li', {class: row.fails ? 'fails' : '', onclick: go, onmouseenter: () => lightUp(file, line),
                        onmouseleave: () => lightUp()},
                 row.fails ? element('b', {}, row.text) : row.text, text && element('code', {}, `${line}  ${text}`));
}

function patchOf(patch) {
  return element('pre', {class: 'patch'}, ...patch.split('\n').map(line => {
    const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : '';
    return element('span', {class: kind}, `${line}\n`);
  }));
}

function step(by) {
  const next = shown[shown.indexOf(chosen) + by];
  if (next !== undefined) choose(next);
}

function clearFilter() {
  for (const id of ['words', 'check', 'file']) byId(id).value = '';
  filter();
}

document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape') {
    clearFilter();
    document.activeElement.blur();
  } else if (['INPUT', 'SELECT'].includes(document.activeElement.tagName)) {
    if (event.key === 'Enter') document.activeElement.blur();
  } else if (event.key === 'j' || event.key === 'k') {
    step(event.key === 'j' ? 1 : -1);
  } else if (event.key === '/') {
    event.preventDefault();
    byId('words').focus();
  }
});

const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
const setTheme = isDark => { document.documentElement.dataset.theme = isDark ? 'dark' : 'light'; };
systemIsDark.addEventListener('change', () => setTheme(systemIsDark.matches));
byId('theme').addEventListener('click', () => setTheme(document.documentElement.dataset.theme !== 'dark'));
setTheme(systemIsDark.matches);

for (const id of ['words', 'check', 'file']) byId(id).addEventListener('input', filter);
const remarks = data.summary.split('\n');
byId('summary').textContent = remarks.pop();
byId('remarks').textContent = remarks.join('\n');
byId('remarks').parentElement.hidden = !remarks.length;
fillChoice(byId('check'), 'All checks', data.findings.map(finding => finding.check));
fillChoice(byId('file'), 'All files', data.findings.map(finding => finding.file));
chosen = Number(location.hash.slice(1)) - 1;
filter();
addEventListener('resize', () => redraw());
document.fonts.ready.then(() => redraw());
