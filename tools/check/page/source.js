// The source, with the path of a finding in its margin.

const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value !== undefined) made.setAttribute(key, value);
  made.append(...children.filter(child => child !== undefined));
  return made;
};

const kWords = 'auto|bool|break|case|catch|char|class|const|constexpr|continue|default|delete|do|double|else|enum|explicit|' +
  'false|float|for|if|inline|int|long|namespace|new|nullptr|operator|override|private|protected|public|return|short|' +
  'signed|sizeof|static|struct|switch|template|this|throw|true|try|typename|unsigned|using|virtual|void|while|' +
  '__global__|__device__|__host__|__shared__';
const kToken = new RegExp(String.raw`(?<c>//.*|/\*.*?(\*/|$))|(?<s>"(\\.|[^"\\])*"|'(\\.|[^'\\])*'|<[\w./-]+>(?=\s*$))|` +
                          String.raw`(?<k>^\s*#\s*\w+|\b(${kWords})\b)|(?<n>\b\d[\w.]*)`, 'g');

/// A piece of a line, in colours.
function coloured(text) {
  const pieces = [];
  let at = 0;
  for (const match of text.matchAll(kToken)) {
    const [kind] = Object.entries(match.groups).find(([, found]) => found !== undefined);
    pieces.push(text.slice(at, match.index), element('span', {class: kind}, match[0]));
    at = match.index + match[0].length;
  }
  return [...pieces, text.slice(at)];
}

/// Columns are counted in bytes.
const encoder = new TextEncoder(), decoder = new TextDecoder();
const unitsBefore = (line, column) => decoder.decode(encoder.encode(line).slice(0, column - 1)).length;

/// The lines where the finding's story stops, in the order in which it happens.
function stopsOf(finding) {
  const stops = [];
  finding.steps.forEach((step, index) => {
    const stop = {file: step.file || finding.file, line: step.line, first: index, fails: step.fails};
    const last = stops.at(-1);
    if (!stop.line) return;
    if (last && last.file === stop.file && last.line === stop.line) last.fails ||= stop.fails;
    else stops.push(stop);
  });
  if (stops.length) return stops;
  return [...finding.notes, finding].map(place => ({file: place.file, line: place.line, fails: place === finding}));
}

class SourceView {
  constructor(finding, files, lightUp) {
    this.finding = finding;
    this.files = files;
    this.lightUp = lightUp;
    this.stops = stopsOf(finding);
    this.said = [...finding.notes.map(note => ({...note, text: note.text})), {...finding, text: finding.message, isFinding: true}];
    this.opened = new Set();
    this.box = element('div', {class: 'source'});
    this.fill();
  }

  get names() {
    return [...new Set([...this.stops, ...this.said].map(place => place.file))].filter(name => this.files[name]);
  }

  fill() {
    this.box.replaceChildren(...this.names.map(name => this.table(name)));
  }

  table(name) {
    const lines = this.files[name].split('\n');
    const around = 3;
    const shown = new Set();
    for (const place of [...this.stops, ...this.said])
      if (place.file === name)
        for (let line = place.line - around; line <= place.line + around; ++line) shown.add(line);
    const body = element('tbody');
    let hidden = [];
    const close = () => {
      if (hidden.length) body.append(this.gap(name, hidden));
      hidden = [];
    };
    lines.forEach((text, index) => {
      const line = index + 1;
      if (!shown.has(line) && !this.opened.has(`${name}:${line}`)) {
        hidden.push(line);
        return;
      }
      close();
      body.append(this.row(name, line, text), ...this.remarks(name, line, text));
    });
    close();
    return element('table', {}, element('caption', {}, name), body);
  }

  gap(name, hidden) {
    const open = () => {
      hidden.forEach(line => this.opened.add(`${name}:${line}`));
      this.fill();
      this.draw();
    };
    const words = hidden.length === 1 ? '1 line' : `${hidden.length} lines`;
    return element('tr', {class: 'gap'}, element('td', {class: 'path'}), element('td', {class: 'number'}),
                   element('td', {class: 'text'}, element('button', {type: 'button', onclick: open}, `⋯ ${words}`)));
  }

  row(name, line, text) {
    const numbers = this.stops.flatMap((stop, index) => stop.file === name && stop.line === line ? [{stop, index}] : []);
    const margin = element('td', {class: 'path'}, ...numbers.map(({stop, index}) =>
      element('span', {class: `stop-number${stop.fails ? ' fails' : ''}`, 'data-stop': index}, String(index + 1))));
    return element('tr', {class: numbers.length ? 'stop' : '', 'data-line': `${name}:${line}`,
                          onmouseenter: () => this.lightUp(name, line), onmouseleave: () => this.lightUp()},
                   margin, element('td', {class: 'number'}, String(line)),
                   element('td', {class: 'text'}, ...this.marked(name, line, text)));
  }

  /// What the finding is about is underlined.
  marked(name, line, text) {
    if (name !== this.finding.file || line !== this.finding.line || !this.finding.spans.length) return coloured(text);
    const [span] = this.finding.spans;
    const [begin, end] = [unitsBefore(text, span.begin), unitsBefore(text, span.end)];
    return [...coloured(text.slice(0, begin)), element('mark', {}, ...coloured(text.slice(begin, end))),
            ...coloured(text.slice(end))];
  }

  remarks(name, line, text) {
    return this.said.filter(said => said.file === name && said.line === line).map(said => {
      const indent = `${text.length - text.trimStart().length}ch`;
      const words = element('td', {class: 'text'}, element('span', {}, `${said.isFinding ? '✕' : '↳'} ${said.text}`));
      words.style.paddingLeft = `calc(.6rem + ${indent})`;
      return element('tr', {class: said.isFinding ? 'said finding' : 'said'}, element('td', {class: 'path'}),
                     element('td', {class: 'number'}), words);
    });
  }

  /// From stop to stop.
  draw() {
    this.box.querySelector(':scope > svg')?.remove();
    const numbers = this.stops.map((_, index) => this.box.querySelector(`[data-stop="${index}"]`));
    const frame = this.box.getBoundingClientRect();
    const picture = svg('svg', {width: 90, height: this.box.scrollHeight, 'aria-hidden': true});
    const end = number => {
      const place = number.getBoundingClientRect();
      return {x: place.left - frame.left + this.box.scrollLeft, y: place.top - frame.top + place.height / 2};
    };
    for (let index = 0; index + 1 < numbers.length; ++index) {
      if (!numbers[index] || !numbers[index + 1]) continue;
      const from = end(numbers[index]), to = end(numbers[index + 1]);
      const out = Math.max(4, Math.min(from.x, to.x) - 12 - Math.min(Math.abs(from.y - to.y) / 10, 34));
      const colour = this.stops[index + 1].fails ? 'var(--clash)' : 'var(--accent)';
      svg('path', {d: `M${from.x - 2} ${from.y}C${out} ${from.y} ${out} ${to.y} ${to.x - 6} ${to.y}`, fill: 'none',
                   stroke: colour, 'stroke-width': 1.7, opacity: 0.8}, picture);
      svg('path', {d: `M${to.x - 2} ${to.y}l-6-3.5v7z`, fill: colour}, picture);
    }
    this.box.append(picture);
  }
}
