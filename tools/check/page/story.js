// What a witness tells (docs/witness-format.md), as rows of a picture: who is where, who goes where, where it clashes.

const laneOrder = lane => lane === 'cpu' ? -1 : Number(lane.slice(5));

class Story {
  constructor(steps) {
    this.values = new Map();
    this.lanes = new Set(['cpu']);
    this.current = 'cuda:0';
    this.letters = 0;
    this.rows = steps.map((step, index) => this.play(step, index));
    if (this.rows.length && !this.rows.some(row => row.fails)) this.rows.at(-1).fails = true;
    this.lanes = [...this.lanes].sort((one, other) => laneOrder(one) - laneOrder(other));
  }

  lane(device) {
    const lane = device === 'cuda' ? this.current : device || 'cpu';
    this.lanes.add(lane);
    return lane;
  }

  make(id, lane, name, index) {
    const value = {id, lane, name, children: new Map(), points: [{row: index, lane}], last: index};
    if (id !== undefined) this.values.set(id, value);
    return value;
  }

  letter(what) {
    const index = this.letters++;
    return `${what} ${String.fromCharCode(65 + index % 26)}${index >= 26 ? Math.floor(index / 26) : ''}`;
  }

  use(id, index) {
    const value = this.values.get(id);
    value.last = index;
    return value;
  }

  goTo(value, lane, index, seen = new Set()) {
    if (seen.has(value)) return;
    seen.add(value);
    value.last = index;
    if (value.lane !== lane) value.points.push({row: index, lane});
    value.lane = lane;
    for (const child of value.children.values()) this.goTo(child, lane, index, seen);
  }

  /// `value`, and all that is registered in it.
  reach(value, found = new Set()) {
    if (!found.has(value)) {
      found.add(value);
      for (const child of value.children.values()) this.reach(child, found);
    }
    return found;
  }

  play(step, index) {
    const row = {index, step, text: '', meets: [], at: undefined, fails: Boolean(step.fails)};
    const play = this[step.do];
    if (play) play.call(this, step, row, index);
    else row.text = step.do;
    if (step.note) row.text += ` (${step.note})`;
    return row;
  }

  /// Those that come together in a row.
  meet(row, ids) {
    row.meets = ids.map(id => this.use(id, row.index));
    return row.meets.map(value => value.name).join(', ');
  }

  tensor(step, row, index) {
    const value = this.make(step.id, this.lane(step.device), this.letter('tensor'), index);
    row.text = `${value.name} is made on ${value.lane}${step.how ? ` (${step.how})` : ''}${step.pinned ? ', pinned' : ''}`;
  }
  move(step, row, index) {
    const from = this.use(step.from, index);
    const lane = this.lane(step.device);
    const to = this.make(step.id, lane, this.letter('tensor'), index);
    to.origin = {value: from, lane: from.lane};
    row.text = from.lane === lane ? `${from.name} is on ${lane} already: ${to.name} is the same`
      : `${from.name} is copied to ${lane}, as ${to.name}${step.nonBlocking ? ', not waited for' : ''}`;
  }
  view(step, row, index) {
    const from = this.use(step.from, index);
    const to = this.make(step.id, from.lane, this.letter('tensor'), index);
    to.origin = {value: from, lane: from.lane};
    row.text = `${to.name} is a view of ${from.name}`;
  }
  op(step, row, index) {
    const ids = step.args.flatMap(argument => argument.ids || [argument.id]);
    row.text = `${step.name}(${this.meet(row, ids)})`;
    if (step.id === undefined) return;
    const lane = row.meets.map(value => value.lane).find(lane => lane !== 'cpu') || 'cpu';
    row.text += ` makes ${this.make(step.id, lane, this.letter('tensor'), index).name}`;
  }
  copyInto(step, row) {
    this.meet(row, [step.src, step.dst]);
    row.text = `${row.meets[0].name} is copied into ${row.meets[1].name}`;
  }
  setData(step, row, index) {
    this.meet(row, [step.src, step.dst]);
    row.text = `${row.meets[1].name} gets the data of ${row.meets[0].name}`;
    this.goTo(row.meets[1], row.meets[0].lane, index);
  }
  release(step, row) { row.text = `${this.meet(row, [step.of])} is gone`; }

  module(step, row, index) {
    const value = this.make(step.id, this.lane(step.device), step.class, index);
    row.text = `${value.name} is made on ${value.lane}`;
  }
  register(step, row) {
    this.meet(row, [step.child, step.parent]);
    const [child, parent] = row.meets;
    row.text = `${child.name} becomes '${step.name}' of ${parent.name}`;
    parent.children.set(step.name, child);
    child.name = `'${step.name}'`;
  }
  unregister(step, row) {
    row.text = `${this.meet(row, [step.parent])} lets go of '${step.name}'`;
    row.meets[0].children.delete(step.name);
  }
  parameter(step, row, index) {
    const of = this.use(step.of, index);
    const held = of.children.get(step.name);
    const value = this.make(step.id, (held || of).lane, `'${step.name}'`, index);
    value.origin = {value: held || of, lane: value.lane};
    of.children.set(step.name, value);
    row.text = `'${step.name}' of ${of.name}`;
  }
  moveModule(step, row, index) {
    const of = this.use(step.of, index);
    const lane = this.lane(step.device);
    const along = this.reach(of).size - 1;
    row.text = `${of.name} moves to ${lane}${along > 0 ? ', with all that is registered in it' : ''}`;
    this.goTo(of, lane, index);
  }
  cloneModule(step, row, index) {
    const from = this.use(step.from, index);
    const to = this.make(step.id, step.device ? this.lane(step.device) : from.lane, `${from.name}'s clone`, index);
    to.children = new Map(from.children);
    to.origin = {value: from, lane: from.lane};
    row.text = `${from.name} is cloned on ${to.lane}`;
  }
  loadState(step, row, index) {
    const lane = this.lane(step.device || step.saved);
    row.text = `${this.meet(row, [step.of])} is loaded: it goes to ${lane}${step.device ? '' : ', where it was saved'}`;
    this.goTo(row.meets[0], lane, index);
    row.meets = [];
  }
  loadScript(step, row, index) {
    const value = this.make(step.id, this.lane(step.device || step.saved), 'script module', index);
    row.text = `a script module is loaded to ${value.lane}`;
  }
  forward(step, row, index) {
    const given = this.meet(row, step.args || []);
    row.meets.unshift(this.use(step.of, index));
    row.text = `${row.meets[0].name}->forward(${given})`;
    if (step.id !== undefined) row.text += ` makes ${this.make(step.id, row.meets[0].lane, this.letter('tensor'), index).name}`;
  }
  optimizer(step, row, index) {
    row.text = `an optimizer over ${this.meet(row, step.of)}`;
    const value = this.make(step.id, row.meets.length ? row.meets[0].lane : 'cpu', 'the optimizer', index);
    value.over = row.meets;
    if (row.meets.length) value.origin = {value: row.meets[0], lane: value.lane};
  }
  optimizerStep(step, row, index) {
    this.meet(row, step.module === undefined ? [step.of] : [step.of, step.module]);
    row.text = 'the optimizer steps' + (row.meets[1] ? `, for ${row.meets[1].name}` : '');
    if (step.module !== undefined) return;
    for (const value of row.meets[0].over || []) value.last = index;
    row.meets.push(...row.meets[0].over || []);
  }

  pointer(step, row, index) {
    const of = this.use(step.of, index);
    const value = this.make(step.id, of.lane, `a pointer to ${of.name}`, index);
    value.origin = {value: of, lane: of.lane};
    row.text = `${value.name}'s memory is taken`;
  }
  allocate(step, row, index) {
    const where = step.where || 'host';
    const value = this.make(step.id, where === 'device' || where === 'symbol' ? this.lane('cuda') : 'cpu',
                            this.letter(`${where} memory`), index);
    row.text = `${value.name} on ${value.lane}`;
  }
  fromBlob(step, row, index) {
    const of = this.use(step.of, index);
    const value = this.make(step.id, this.lane(step.device), this.letter('tensor'), index);
    value.origin = {value: of, lane: of.lane};
    row.meets = [of, value];
    row.text = `${value.name} over ${of.name}, said to be on ${value.lane}`;
  }
  hostRead(step, row) {
    const what = this.meet(row, [step.of]);
    row.at = this.lane('cpu');
    row.text = `the host ${step.write ? 'writes' : 'reads'} ${what}${step.by ? ` (${step.by})` : ''}`;
  }
  deviceUse(step, row) {
    const what = this.meet(row, [step.of]);
    row.at = this.lane('cuda');
    row.text = `a kernel on ${row.at} reads ${what}${step.by ? ` (${step.by})` : ''}`;
  }
  memcpy(step, row) {
    this.meet(row, [step.src, step.dst]);
    row.text = `${row.meets[0].name} is copied to ${row.meets[1].name}${step.kind ? `, as ${step.kind}` : ''}` +
               (step.nonBlocking ? ', not waited for' : '');
  }
  setDevice(step, row) {
    if (step.index >= 0) this.current = `cuda:${step.index}`;
    row.at = this.lane('cuda');
    row.text = `${row.at} becomes the current device`;
  }
  stream(step, row, index) {
    const value = this.make(step.id, this.lane('cuda'), 'the stream', index);
    row.text = `a stream of ${value.lane}`;
  }
  launch(step, row) {
    const what = this.meet(row, step.args || []);
    if (step.stream !== undefined) row.meets.push(this.use(step.stream, row.index));
    row.at = this.lane('cuda');
    row.text = `a kernel is launched while ${row.at} is current${what ? `, and reads ${what}` : ''}`;
  }
  synchronize(step, row) { row.text = 'the host waits for every device'; }
}

/// Gives each value a track in each lane that it comes to, as narrow as can be.
function tracksOf(story) {
  const taken = new Map(story.lanes.map(lane => [lane, []])); // for each track: the row until which it is taken
  const stays = [];
  for (const value of story.values.values())
    value.points.forEach((point, i) => {
      const next = value.points[i + 1];
      stays.push({value, point, until: next ? next.row : value.last});
    });
  stays.sort((one, other) => one.point.row - other.point.row);
  for (const {point, until} of stays) {
    const tracks = taken.get(point.lane);
    let track = tracks.findIndex(end => end < point.row);
    if (track < 0) track = tracks.push(0) - 1;
    tracks[track] = until;
    point.track = track;
  }
  return new Map(story.lanes.map(lane => [lane, Math.max(taken.get(lane).length, 1)]));
}

const svg = (name, attributes, parent, text) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent?.append(element);
  return element;
};
const laneColor = lane => `var(--lane-${lane === 'cpu' ? 'cpu' : laneOrder(lane) % 4})`;

/// The picture of `story` beside `list`, whose items are its rows.
function drawStory(story, list) {
  const gap = 15, top = 30;
  const widths = tracksOf(story);
  const left = new Map();
  let width = 8;
  for (const lane of story.lanes) {
    left.set(lane, width);
    width += Math.max(widths.get(lane) * gap + 20, 64);
  }
  const middle = lane => left.get(lane) + Math.max(widths.get(lane) * gap + 20, 64) / 2;
  const x = point => middle(point.lane) + (point.track - (widths.get(point.lane) - 1) / 2) * gap;
  list.style.paddingLeft = `${width + 8}px`;
  const items = [...list.children];
  const y = row => items[row].offsetTop + Math.min(items[row].offsetHeight / 2, 18);
  const height = list.offsetHeight;
  const picture = svg('svg', {width, height, role: 'img', 'aria-label': story.rows.map(row => row.text).join('. ')});

  for (const lane of story.lanes) {
    svg('rect', {x: left.get(lane) + 3, y: top - 4, width: 2 * (middle(lane) - left.get(lane)) - 6, height: height - top,
                 rx: 6, fill: laneColor(lane), opacity: 0.09}, picture);
    svg('text', {x: middle(lane), y: 18, class: 'lane-name', fill: laneColor(lane)}, picture, lane === 'cpu' ? 'CPU' : lane);
  }
  const bend = (from, to, fromY, toY) => `M${from} ${fromY}C${from} ${toY} ${from} ${toY} ${to} ${toY}`;
  const pointAt = (value, row) => value.points.filter(point => point.row <= row).at(-1);
  const line = (d, lane) =>
    svg('path', {d, fill: 'none', stroke: laneColor(lane), 'stroke-width': 2.5, 'stroke-linecap': 'round'}, picture);

  for (const value of story.values.values()) {
    if (value.origin) {
      const from = pointAt(value.origin.value, value.points[0].row);
      line(`M${x(from)} ${y(value.points[0].row)}L${x(value.points[0])} ${y(value.points[0].row)}`, value.points[0].lane);
    }
    value.points.forEach((point, i) => {
      const next = value.points[i + 1];
      const end = next ? y(next.row) - 16 : y(value.last);
      if (end > y(point.row)) line(`M${x(point)} ${y(point.row)}V${end}`, point.lane);
      if (next) line(bend(x(point), x(next), Math.max(end, y(point.row)), y(next.row)), next.lane);
      svg('circle', {cx: x(point), cy: y(point.row), r: 4.5, fill: laneColor(point.lane)}, picture)
        .append(svg('title', {}, null, value.name));
    });
  }
  for (const row of story.rows) {
    const spots = row.meets.map(value => ({lane: pointAt(value, row.index).lane, x: x(pointAt(value, row.index))}));
    if (row.at) spots.push({lane: row.at, x: middle(row.at), isPlace: true});
    if (!spots.length) continue;
    const ends = spots.map(spot => spot.x);
    const [low, high] = [Math.min(...ends), Math.max(...ends)];
    const here = y(row.index);
    svg('line', {x1: low, x2: high, y1: here, y2: here, stroke: row.fails ? 'var(--clash)' : 'var(--faint)',
                 'stroke-width': row.fails ? 3 : 1.5, 'stroke-dasharray': row.fails ? '' : '3 3'}, picture);
    for (const spot of spots)
      svg(spot.isPlace ? 'rect' : 'circle',
          spot.isPlace ? {x: spot.x - 4, y: here - 4, width: 8, height: 8, fill: laneColor(spot.lane)}
                       : {cx: spot.x, cy: here, r: 4, fill: laneColor(spot.lane)}, picture);
    if (row.fails) drawClash(picture, (low + high) / 2, here);
  }
  return picture;
}

function drawClash(picture, x, y) {
  const group = svg('g', {class: 'clash', transform: `translate(${x} ${y})`}, picture);
  svg('circle', {r: 9, fill: 'var(--clash)'}, group);
  svg('path', {d: 'M-4-4L4 4M4-4L-4 4', stroke: 'var(--paper)', 'stroke-width': 2.5, 'stroke-linecap': 'round'}, group);
}
