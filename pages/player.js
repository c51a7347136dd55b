// Plays the messages of a run: every message of the abstract simulator, one after the other, forth and back.
'use strict';
(() => {
  const element = document.getElementById('messages');
  if (!element) return;
  const { make, digits, Plot } = hy;
  const data = JSON.parse(element.textContent), { paths, ports } = data;
  const parentOf = p => p === 0 ? -1 : paths[p].includes('/') ? byPath.get(paths[p].slice(0, paths[p].lastIndexOf('/'))) ?? 0 : 0;
  const nameOf = p => p < 0 ? 'root' : p === 0 ? paths[0] : paths[p].slice(paths[p].lastIndexOf('/') + 1);
  const byPath = new Map(paths.map((p, k) => [p, k]).slice(1));

  // Decoded: one object a message; done[p]: the messages after which component p has a new state.
  const started = performance.now(), all = [], before = new Map(), done = paths.map(() => []);
  // What integrators hold (hydevs/atomic.h, HyHeld), from which time on.
  const holds = paths.map(() => []);
  const hold = (m, f, k) => holds[m.p].push({ t: m.t, t0: m.t + +f[k], x: numbers(f[k + 1]), q: numbers(f[k + 2]), within: +f[k + 3] });
  const numbers = text => text.split(',').map(Number);
  let t = NaN;
  for (const line of document.getElementById('lines').textContent.replace(/\x02/g, '<').split('\n')) {
    if (!line) continue;
    const f = line.split('\t'), kind = f[0], m = { kind, p: +f[1] };
    m.t = f[2] === '' ? t : +f[2];
    if (kind === 'x' || kind === 'y') { m.port = ports[+f[3]]; m.value = f[4]; }
    else if (kind === '*') { m.due = f[3] ? f[3].split(',') : []; m.why = f[4]; m.leads = +f[5]; }
    else if (kind === 'd' || kind === 's') { m.tn = f[3] === 'inf' ? Infinity : +f[3]; m.ran = f[4]; m.e = +f[5]; m.state = f[6]; if (f[7]) hold(m, f, 7); }
    else if (kind === 'h') { hold(m, f, 3); continue; }
    if (kind === 's') { before.set(m.p, m); continue; }
    t = m.t;
    if (kind === 'd') done[m.p].push(all.length);
    all.push(m);
  }
  const n = all.length;
  document.documentElement.dataset.decoded = (performance.now() - started).toFixed(1);

  const from = m => m.kind === 'd' || m.kind === 'y' && m.p !== 0 ? m.p : m.kind === 'y' ? 0 : parentOf(m.p);
  const to = m => m.kind === 'd' || m.kind === 'y' ? parentOf(m.p) : m.p;
  // What component p has said of itself when k messages have been sent.
  const statusOf = (p, k) => {
    const list = done[p], at = hy.above(list, k - 1) - 1;
    return at >= 0 ? all[list[at]] : before.get(p);
  };

  // Words, as words.c has them --------------------------------------------------------------------
  const next = m => m.tn === Infinity ? (m.ran ? 'it has no event of its own to come' : 'nothing in it has an event to come') :
    m.tn === m.t ? (m.ran === 'e' || m.ran === 'n' ? 'it is due again now' : 'it is due now') : `it is due at t = ${digits(m.tn)}, in ${digits(m.tn - m.t)}`;
  const reasons = { a: 'answers at once', r: 'is first of those that answer at once, by rank and as listed', p: 'has a priority', l: 'is listed first' };
  const why = m => `${'ar'.includes(m.why) && m.leads !== m.p ? paths[m.leads] : 'it'} ${reasons[m.why]}`;
  const words = m => {
    const a = nameOf(from(m)), b = nameOf(to(m)), time = digits(m.t);
    if (m.kind === 'i') return `${a} tells ${b} to begin.`;
    if (m.kind === '*' && m.p === 0) return `The earliest event of all is at t = ${time}: ${b} is to execute it.`;
    if (m.kind === '*' && m.due.length < 2) return `In ${a} only ${b} is due at t = ${time}, so it has its turn.`;
    if (m.kind === '*') return `In ${a} several are due at t = ${time}: ${m.due.join(', ')}. ${b} has its turn, for it stands first in the order of ties (${why(m)}).`;
    if (m.kind === 'x') return `${a} hands ${m.value} to ${b} at its input ${m.port}.`;
    if (m.kind === 'y') return statusOf(m.p, n)?.ran ? `${a} says ${m.value} at its output ${m.port} (lambda, before it moves itself).` : `${m.value} leaves ${a} at its output ${m.port}.`;
    const did = { i: `${a} begins`, e: `${a} takes the input, ${digits(m.e)} after its last transition (dext)`, n: `${a} moves on (dint)` }[m.ran];
    if (!did) return `${a} tells ${b} that ${next(m)}.`;
    return m.state === undefined ? `${did}; ${next(m)}.` : `${did}: its state is ${m.state}; ${next(m)}.`;
  };
  const short = (m, k) => {
    const what = { i: `(i,${digits(m.t)})`, '*': `(*,${digits(m.t)})`, x: `(x,${digits(m.t)}) ${m.port}:${m.value}`, y: `(y,${digits(m.t)}) ${m.port}:${m.value}`, d: `(done,${digits(m.tn)})` }[m.kind];
    return `${String(k + 1).padStart(5)} ${nameOf(from(m))} \u2192 ${nameOf(to(m))} ${what}`;
  };

  // The drawing: blocks and wires by what they are; copies that are one box by their name without indices.
  const svg = document.querySelector('#drawing svg'), blocks = new Map(), wiresTo = new Map(), wiresFrom = new Map();
  const plain = text => text.replace(/\[[^\]]*\]/g, '');
  const file = (map, key, e) => { for (const k of new Set([key, '~' + plain(key)])) { if (!map.has(k)) map.set(k, []); map.get(k).push(e); } };
  for (const g of document.querySelectorAll('#drawing g.block')) file(blocks, g.dataset.path, g);
  for (const w of document.querySelectorAll('#drawing path.wire[data-to]')) { file(wiresTo, w.dataset.to, w); file(wiresFrom, w.dataset.from, w); }
  const find = (map, key) => map.get(key) || map.get('~' + plain(key)) || [];
  const blockOf = p => p <= 0 ? svg : find(blocks, paths[p])[0];
  // The wires that a message goes along.
  const wiresOf = (m, k) => {
    if (m.kind === 'y') return find(wiresFrom, `${paths[m.p]}.${m.port}`);
    if (m.kind !== 'x') return [];
    const way = find(wiresTo, `${paths[m.p]}.${m.port}`);
    for (let j = k - 1; j >= 0 && way.length > 1 && all[j].t === m.t; j--) {
      const y = all[j], own = way.filter(w => find(wiresFrom, `${paths[y.p]}.${y.port}`).includes(w));
      if ((y.kind === 'y' || y.kind === 'x') && own.length) return own;
    }
    return way.slice(0, 1);
  };

  // Controls ----------------------------------------------------------------------------------------
  let at = 0, playing = null, plot = null;
  const stops = [];
  const button = (name, key, run) => make('button', { type: 'button', title: `${name} (${key})`, 'aria-keyshortcuts': key, onclick: run }, name);
  const seek = make('input', { type: 'range', min: 0, max: n, value: 0, 'aria-label': 'Message', oninput: () => { pause(); go(+seek.value); } });
  const where = make('span', { role: 'status', id: 'where' });
  const play = button('Play', 'Space', () => playing ? pause() : start());
  play.setAttribute('aria-pressed', 'false');
  const speed = make('select', { 'aria-label': 'Speed' }, ...[['slow', 2500], ['normal', 1100], ['fast', 350], ['very fast', 60]].map(([name, ms]) => make('option', { value: ms }, name)));
  speed.value = 1100;
  const help = make('dialog', { id: 'help', 'aria-label': 'Keys' }, make('h2', {}, 'Keys'),
    make('p', {}, 'Right: next message. Left: one back. Space: play and pause. Down and Up: next and last event (*). Home, End: first, last message. ' +
      'B: to the breakpoints. R: on to the next break. S: to the speed. F: drawing and plot follow what moves, or the plot shows all. + and -: the drawing larger, smaller. ?: this help.'),
    make('p', {}, 'i begins, * executes an event, x is an input, y an output, done tells the next event. An orange dashed outline: due now. A thick blue one: where the message goes.'),
    make('form', { method: 'dialog' }, make('button', {}, 'Close')));
  const follow = make('button', { type: 'button', title: 'Follow (F)', 'aria-keyshortcuts': 'F', 'aria-pressed': 'true', onclick: () => setFollow(!following) }, 'Follow');
  document.getElementById('controls').append(
    make('div', { class: 'bar', role: 'toolbar', 'aria-label': 'Player' },
      button('First', 'Home', () => { pause(); go(0); }), button('Back', 'ArrowLeft', () => { pause(); go(at - 1); }), play,
      button('Step', 'ArrowRight', () => { pause(); step(); }), button('Last event', 'ArrowUp', () => { pause(); go(event(-1)); }),
      button('Next event', 'ArrowDown', () => { pause(); go(event(1)); }), button('To a break', 'R', () => { pause(); run(); }), button('End', 'End', () => { pause(); go(n); }),
      make('label', {}, 'Speed', speed), follow, button('Keys', '?', () => help.showModal())),
    make('div', { class: 'bar' }, seek, where), help);

  const sentence = make('p', { id: 'why', 'aria-live': 'polite' }), log = make('ol', { id: 'log', 'aria-label': 'Messages around this one' });
  const body = make('tbody'), filter = make('input', { 'aria-label': 'Only blocks whose path has', placeholder: 'only blocks with ...', size: 18, oninput: () => { rows(); show(); } });
  const table = make('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'States' }, make('table', {}, make('thead', {}, make('tr', {}, ...['block', 'state', 'tL', 'tN', 'sigma'].map(h => make('th', { scope: 'col' }, h)))), body));
  const list = make('datalist', { id: 'paths' }, ...paths.slice(0, 2000).map(p => make('option', { value: p })));
  const form = {
    block: make('input', { list: 'paths', 'aria-label': 'Block', placeholder: 'any block', size: 12, id: 'stop-block' }),
    kind: make('select', { 'aria-label': 'Message' }, ...[['', 'any message'], ['*', '* event'], ['x', 'x input'], ['y', 'y output'], ['d', 'done'], ['i', 'i begin']].map(([v, s]) => make('option', { value: v }, s))),
    port: make('input', { 'aria-label': 'Port', placeholder: 'any port', size: 8 }),
    value: make('input', { 'aria-label': 'Value, such as > 3', placeholder: 'any value, > 3', size: 12 })
  };
  const engineRows = make('tbody'), engines = make('div', { class: 'scroll', id: 'engines', tabindex: 0, role: 'region', 'aria-label': 'The same instant on each engine' },
    make('table', {}, make('thead', {}, make('tr', {}, ...['tree', 'flat', 'fused'].map(h => make('th', { scope: 'col' }, h)))), engineRows));
  const stopList = make('ul', { id: 'stops', 'aria-label': 'Breakpoints' }), plotBox = make('div', { id: 'plot' });
  const plotOf = make('select', { 'aria-label': 'Plot what a block says' }, make('option', { value: '' }, 'nothing'));
  for (const p of [...new Set(all.filter(m => m.kind === 'y').map(m => m.p))].slice(0, 1000)) plotOf.append(make('option', { value: p }, paths[p]));
  plotOf.addEventListener('change', () => plotValues(plotOf.value));
  document.getElementById('below').append(make('div', { class: 'bar' }, make('h2', {}, 'States'), filter), table,
    make('div', { class: 'bar' }, make('h2', {}, 'Plot'), make('label', {}, 'of what is said by', plotOf)), plotBox);
  document.getElementById('controls').append(sentence);
  document.getElementById('panel').append(make('h2', {}, 'Messages'), log, make('h2', {}, 'The same instant on each engine'), engines,
    make('h2', {}, 'Breakpoints'), make('form', { class: 'bar', onsubmit: e => { e.preventDefault(); addStop(); } }, form.block, form.kind, form.port, form.value, make('button', {}, 'Add'), list), stopList);

  // The rows of the table, at most so many.
  const MOST = 300;
  let row = new Map();
  function rows() {
    const shown = paths.map((_, p) => p).filter(p => paths[p].includes(filter.value)).slice(0, MOST);
    row = new Map(shown.map(p => [p, make('tr', {}, make('th', { scope: 'row' }, paths[p]), make('td'), ...[1, 2, 3].map(() => make('td', { class: 'number' })))]));
    body.replaceChildren(...row.values());
    const left = paths.filter(p => p.includes(filter.value)).length - shown.length;
    if (left > 0) body.append(make('tr', {}, make('td', { colspan: 5 }, `${left} more: name a part of their path above`)));
  }

  // What the engines do at the instant of message k, one call of an atomic's functions a line: tree gets there by messages, flat
  // at once; fused only notes what reaches a static block, and computes it when its rank has its turn.
  const rank = new Set(data.fused), MOST_CALLS = 200;
  const callOf = m => m.kind === 'y' ? (statusOf(m.p, n)?.ran ? 'lambda' : '') : m.kind === 'd' ? { i: 'init', e: 'dext', n: 'dint' }[m.ran] || '' : '';
  const fusedCall = (call, p) => !rank.has(p) || call === 'init' ? `${call} ${paths[p]}` : { lambda: `by rank: ${paths[p]}`, 'lambda, dint': `by rank: ${paths[p]}`, dext: `noted for ${paths[p]}`, dint: '' }[call];
  let instant = [NaN, 0];
  function showEngines(k) {
    let first = k, end = k + 1;
    while (first > 0 && all[first - 1].t === all[k].t) first--;
    while (end < n && all[end].t === all[k].t) end++;
    if (instant[0] !== first || instant[1] !== end) {
      instant = [first, end];
      instant.lines = [];
      for (let j = first, from = first, spoke = -1; j < end; j++) {
        let call = callOf(all[j]);
        if (!call && j + 1 < end) continue;
        if (call === 'dint' && spoke !== all[j].p) call = 'lambda, dint'; // it has had its turn and said nothing
        if (call === 'lambda' || call.endsWith('dint')) spoke = call === 'lambda' ? all[j].p : -1;
        instant.lines.push({ from, to: j, call, p: all[j].p });
        from = j + 1;
      }
    }
    const { lines } = instant, now = lines.findIndex(l => l.to >= k), top = Math.max(0, Math.min(now - MOST_CALLS / 2, lines.length - MOST_CALLS));
    engineRows.replaceChildren(...lines.slice(top, top + MOST_CALLS).map((l, j) => make('tr', { class: top + j === now ? 'now' : '' },
      make('td', {}, make('button', { type: 'button', tabindex: -1, onclick: () => { pause(); go(l.to + 1); } }, `${l.from + 1}${l.to > l.from ? '\u2013' + (l.to + 1) : ''}: ${all.slice(l.from, l.to + 1).map(m => m.kind === 'd' ? 'done' : m.kind).join(' ')}`)),
      make('td', {}, l.call ? `${l.call} ${paths[l.p]}` : ''), make('td', {}, l.call ? fusedCall(l.call, l.p) : ''))));
    const r = engineRows.children[now - top];
    engines.scrollTop = Math.max(0, Math.min(r.offsetTop - 40, Math.max(engines.scrollTop, r.offsetTop - engines.clientHeight + 60)));
  }

  // Breakpoints ------------------------------------------------------------------------------------------
  function addStop() {
    const s = { block: form.block.value.trim(), kind: form.kind.value, port: form.port.value.trim(), value: form.value.value.trim() };
    const text = `${s.block || 'any block'}, ${form.kind.selectedOptions[0].textContent}${s.port ? ', port ' + s.port : ''}${s.value ? ', value ' + s.value : ''}`;
    const item = make('li', {}, text + ' ', make('button', { type: 'button', 'aria-label': `Remove: ${text}`, onclick: () => { stops.splice(stops.indexOf(s), 1); item.remove(); } }, 'Remove'));
    stops.push(s);
    stopList.append(item);
  }
  const compare = (have, want) => {
    const f = /^(<=|>=|<|>|=)?\s*(.+)$/.exec(want), a = parseFloat(have), b = parseFloat(f[2]);
    if (!f[1] || f[1] === '=') return have === f[2] || a === b;
    return { '<': a < b, '>': a > b, '<=': a <= b, '>=': a >= b }[f[1]];
  };
  const stopsAt = m => stops.some(s => (!s.block || paths[m.p] === s.block || plain(paths[m.p]) === s.block) && (!s.kind || s.kind === m.kind) &&
    (!s.port || s.port === m.port) && (!s.value || m.value !== undefined && compare(m.value, s.value)));
  const event = way => { let k = at - 1 + way; while (k >= 0 && k < n && !(all[k].kind === '*' && all[k].p === 0)) k += way; return Math.max(0, Math.min(n, k + 1)); };
  function run() { let k = at; while (k < n && !stopsAt(all[k])) k++; go(Math.min(n, k + 1)); }

  // Moving ---------------------------------------------------------------------------------------------------
  function pause() { clearTimeout(playing); playing = null; play.textContent = 'Play'; play.setAttribute('aria-pressed', 'false'); }
  function start() {
    play.textContent = 'Pause'; play.setAttribute('aria-pressed', 'true');
    const tick = () => {
      if (at >= n) return pause();
      step();
      if (stopsAt(all[at - 1]) || at >= n) return pause();
      playing = setTimeout(tick, +speed.value);
    };
    playing = setTimeout(tick, 0);
  }
  function step() { if (at < n) { go(at + 1); travel(all[at - 1], at - 1, Math.min(900, +speed.value * 0.8)); } }
  function go(k) { at = Math.max(0, Math.min(n, k)); show(); }

  function show() {
    const m = at > 0 ? all[at - 1] : null;
    seek.value = at;
    seek.setAttribute('aria-valuetext', `message ${at} of ${n}`);
    where.textContent = `message ${at} of ${n}, t = ${m ? digits(m.t) : digits(data.start)}`;
    sentence.textContent = m ? words(m) : n ? 'Before the first message. Step (right arrow) or play (space).' : 'There are no messages in this window.';
    const first = Math.max(0, Math.min(at - 8, n - 12));
    log.replaceChildren(...all.slice(first, first + 12).map((o, j) => {
      const k = first + j;
      return make('li', { class: k === at - 1 ? 'now' : k >= at ? 'later' : '' }, make('button', { type: 'button', tabindex: -1, title: short(o, k), onclick: () => { pause(); go(k + 1); } }, short(o, k)));
    }));
    const due = m && m.kind === '*' ? m.due.map(name => byPath.get(parentOf(m.p) > 0 ? `${paths[parentOf(m.p)]}/${name}` : name)) : [];
    for (const [p, r] of row) {
      const s = statusOf(p, at), cell = r.children;
      [s?.state ?? '', s ? digits(s.t) : '', s ? digits(s.tn) : '', s ? digits(s.tn - (m ? m.t : s.t)) : ''].forEach((text, k) => { if (cell[k + 1].textContent !== text) cell[k + 1].textContent = text; });
      r.className = (m && m.p === p ? 'now ' : '') + (due.includes(p) ? 'due' : '');
    }
    if (m && row.has(m.p)) { const r = row.get(m.p); table.scrollTop = Math.max(0, Math.min(r.offsetTop - 40, Math.max(table.scrollTop, r.offsetTop - table.clientHeight + 60))); }
    mark(m, due);
    if (n) showEngines(Math.max(0, at - 1));
    if (plot) { const t = m ? m.t : data.start; plot.group.cursor = t; if (following && followPlot(t)) plot.redraw(); else plot.read(t); }
  }
  // States of machines that are drawn: what a machine says of itself begins with the name of its state, "(red,n=1)".
  const machines = new Map();
  for (const g of document.querySelectorAll('#drawing g.state')) {
    const p = byPath.get(g.dataset.machine);
    if (p !== undefined) machines.set(p, [...machines.get(p) || [], g]);
  }
  function showStates() {
    for (const [p, list] of machines) {
      const now = /^\(([^,;)]*)/.exec(statusOf(p, at)?.state || '')?.[1];
      for (const g of list) g.classList.toggle('here', g.dataset.state === now);
    }
  }
  function mark(m, due) {
    showStates();
    for (const e of document.querySelectorAll('#drawing .active, #drawing .due')) e.classList.remove('active', 'due');
    for (const e of document.querySelectorAll('#drawing .message')) e.remove();
    if (!m) return;
    due.forEach(p => p !== undefined && blockOf(p)?.classList.add('due'));
    if (m.p > 0) blockOf(m.p)?.classList.add('active');
    const wires = wiresOf(m, at - 1);
    wires.forEach(w => w.classList.add('active'));
    reveal(machines.get(m.p)?.find(g => g.classList.contains('here')) || blockOf(m.p), [blockOf(from(m)), blockOf(to(m)), ...wires]);
  }

  // The drawing follows what moves: the element that matters, and those beside it where there is room for all. Of what is larger than the
  // drawing's window its beginning is shown, where its name stands.
  const pane = document.getElementById('drawing'), AROUND = 16;
  const along = (lo, hi, now, room) => hi - lo > room - 2 * AROUND ? lo - AROUND : lo - AROUND >= now && hi + AROUND <= now + room ? now : (lo + hi - room) / 2;
  function reveal(element, beside = []) {
    if (!following || !element?.isConnected || element === svg || !pane) return;
    const frame = pane.getBoundingClientRect(), dx = pane.scrollLeft - frame.left - pane.clientLeft, dy = pane.scrollTop - frame.top - pane.clientTop;
    const place = e => { const r = e.getBoundingClientRect(); return [r.left + dx, r.right + dx, r.top + dy, r.bottom + dy]; };
    const own = place(element), all = [element, ...beside.filter(e => e && e !== svg)].map(place);
    const whole = [0, 1, 2, 3].map(k => Math[k % 2 ? 'max' : 'min'](...all.map(p => p[k])));
    const fits = whole[1] - whole[0] <= pane.clientWidth - 2 * AROUND && whole[3] - whole[2] <= pane.clientHeight - 2 * AROUND;
    const [left, right, top, bottom] = fits ? whole : own;
    pane.scrollLeft = along(left, right, pane.scrollLeft, pane.clientWidth);
    pane.scrollTop = along(top, bottom, pane.scrollTop, pane.clientHeight);
  }

  // The message on its way: along its wires, or between a component and the one around it.
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  function travel(m, k, duration) {
    const wires = wiresOf(m, k);
    if (!svg || still) return;
    const dot = parent => { const c = document.createElementNS('http://www.w3.org/2000/svg', 'circle'); c.setAttribute('class', 'message'); c.setAttribute('r', 6); parent.append(c); return c; };
    const moves = wires.length ? wires.map(w => { const c = dot(w.parentNode), length = w.getTotalLength(); return { c, at: f => w.getPointAtLength(f * length) }; }) : [straight(m, dot)];
    const began = performance.now();
    const frame = now => {
      const f = Math.min(1, (now - began) / duration);
      for (const { c, at: place } of moves) { const p = place(f); c.setAttribute('cx', p.x); c.setAttribute('cy', p.y); }
      reveal(moves[0].c);
      if (f < 1 && moves[0].c.isConnected) requestAnimationFrame(frame); else setTimeout(() => moves.forEach(o => o.c.remove()), 150);
    };
    requestAnimationFrame(frame);
  }
  const middle = p => {
    const e = blockOf(p), r = e && e !== svg ? e.querySelector('rect, path').getBoundingClientRect() : null, m = svg.getScreenCTM().inverse();
    if (!r) return { x: 8, y: 8 };
    const frame = e.classList.contains('frame');
    return new DOMPoint(r.left + (frame ? 14 : r.width / 2), r.top + (frame ? 14 : r.height / 2)).matrixTransform(m);
  };
  function straight(m, dot) {
    const a = middle(from(m)), b = middle(to(m)), c = dot(svg);
    return { c, at: f => ({ x: a.x + (b.x - a.x) * f, y: a.y + (b.y - a.y) * f }) };
  }

  // What a block has said, drawn as it holds: each piece until the next one. Of an integrator also what is behind it, the state x, and
  // the band around q that x may not leave: where x touches its edge a new q is said.
  let following = true, pieces = [];
  function plotValues(p) {
    plotBox.replaceChildren();
    plot = null;
    if (p === '') return;
    const said = all.filter(m => m.kind === 'y' && m.p === +p), held = holds[+p];
    pieces = (held.length ? held : said).map(m => m.t).filter((t, k, list) => t !== list[k - 1]);
    const from = held.length ? held : said.map(m => ({ t: m.t, t0: m.t, q: numbers(m.value) }));
    const q = { name: held.length ? `${paths[p]}: q, said` : paths[p], t: [], v: [] }, x = { name: 'x, the state', t: [], v: [] };
    const at = (c, s) => c.reduceRight((sum, ck) => sum * s + ck, 0);
    from.forEach((m, k) => {
      const end = k + 1 < from.length ? from[k + 1].t : data.last, parts = m.q.length > 1 || m.x?.length > 1 ? 8 : 1;
      for (let j = 0; j <= parts; j++) {
        const t = m.t + (end - m.t) * j / parts;
        q.t.push(t); q.v.push(at(m.q, t - m.t0));
        if (m.x) { x.t.push(t); x.v.push(at(m.x, t - m.t0)); }
      }
    });
    if (q.v.some(v => !isFinite(v))) { plotBox.append(make('p', { class: 'hint' }, 'What it says are no numbers.')); return; }
    q.step = !held.length && from.every(m => m.q.length === 1);
    const options = { range: [data.start, Math.max(data.last, data.start + 1e-12)], holds: true, height: 190 }, group = {};
    if (!held.length) plot = new Plot(plotBox, [q], group, options);
    else {
      const within = from.flatMap(m => new Array((m.q.length > 1 || m.x.length > 1 ? 8 : 1) + 1).fill(m.within));
      const apart = { name: 'x \u2212 q', t: q.t, v: q.v.map((v, k) => x.v[k] - v), band: { name: 'the quantum: where x \u2212 q may be', lo: within.map(w => -w), hi: within } };
      q.band = { name: 'q and the quantum around it', lo: q.v.map((v, k) => v - within[k]), hi: q.v.map((v, k) => v + within[k]) };
      plot = new Plot(plotBox, [q, x], group, options);
      new Plot(plotBox, [apart], group, { ...options, height: 130 });
    }
    show();
  }
  // The plot shows a few pieces before and after what is played.
  const FEW = 5;
  function setFollow(yes) {
    following = yes;
    follow.setAttribute('aria-pressed', String(yes));
    if (plot && !yes) plot.show(...plot.group.all);
    show();
  }
  function followPlot(t) {
    const k = hy.above(pieces, t) - 1, [a, b] = plot.group.all, last = pieces.length - 1;
    const lo = Math.max(0, Math.min(k - FEW, last - 2 * FEW)), hi = lo + 2 * FEW;
    const was = plot.group.range, range = plot.group.range = [lo === 0 ? a : pieces[lo], hi >= last ? b : pieces[hi]];
    return was[0] !== range[0] || was[1] !== range[1];
  }

  let size = 1;
  function zoomDrawing(f) { size = Math.max(0.2, Math.min(5, size * f)); if (svg) { const b = svg.viewBox.baseVal; svg.setAttribute('width', b.width * size); svg.setAttribute('height', b.height * size); } }
  document.addEventListener('keydown', e => {
    if (e.ctrlKey || e.altKey || e.metaKey || help.open || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName) && e.target !== seek) return;
    if (e.key === ' ' && e.target.tagName === 'BUTTON') return;
    const act = { ArrowRight: () => { pause(); step(); }, ArrowLeft: () => { pause(); go(at - 1); }, ' ': () => playing ? pause() : start(), Home: () => { pause(); go(0); },
      End: () => { pause(); go(n); }, ArrowDown: () => { pause(); go(event(1)); }, ArrowUp: () => { pause(); go(event(-1)); }, r: () => { pause(); run(); }, b: () => form.block.focus(),
      s: () => speed.focus(), f: () => setFollow(!following), '?': () => help.showModal(), '+': () => zoomDrawing(1.25), '-': () => zoomDrawing(0.8) }[e.key];
    if (act) { e.preventDefault(); act(); }
  });
  const large = parseFloat(getComputedStyle(document.body).fontSize) / 15;
  if (svg) zoomDrawing(Math.max(0.7, Math.min(1.7 * large, (document.getElementById('drawing').clientWidth - 24) / svg.viewBox.baseVal.width)));
  rows();
  const first = paths.findIndex((_, p) => holds[p].length);
  if (first > 0) plotOf.value = first;
  plotValues(plotOf.value);
  show();
  window.hyPlayer = { go, get at() { return at; }, get plot() { return plot; }, n, all, paths, holds, stops, words };
})();
