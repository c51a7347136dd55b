// The page of a session: plots that run, levers, the machine's buttons, snapshots. All it knows comes as lines of JSON over one
// WebSocket: what it asks has an id and is answered, the rest comes unasked; after anything that was done it asks how things are.
'use strict';
(() => {
  const element = document.getElementById('session');
  if (!element) return;
  const { make, Plot, digits, above } = hy, $ = id => document.getElementById(id), about = JSON.parse(element.textContent);
  const MOST = 60000, LESS = 40000; // points of a signal
  const show = (id, text) => { if ($(id).textContent !== text) $(id).textContent = text; };
  const say = (text, wrong) => { show('said', text); $('said').classList.toggle('wrong', !!wrong); };

  // Signals ------------------------------------------------------------------------------------
  const signals = new Map(), group = { all: [0, 1] }, plots = $('plots');
  let now = 0, dirty = false, following = true, span = 0;

  // The axis stays as it is while the curves are within it and fill two fifths of it; else it goes to round numbers.
  class Live extends Plot {
    extent() {
      if (this.series.every(s => s.binary)) return [-0.15, 1.15];
      let lo = Infinity, hi = -Infinity;
      const [a, b] = this.group.range;
      for (const s of this.series) for (let k = Math.max(0, above(s.t, a) - 1), end = Math.min(s.t.length, above(s.t, b) + 1); k < end; k++) {
        if (s.v[k] < lo) lo = s.v[k];
        if (s.v[k] > hi) hi = s.v[k];
      }
      if (lo > hi) return this.axis || [0, 1];
      const old = this.axis;
      if (old && lo >= old[0] && hi <= old[1] && hi - lo >= 0.4 * (old[1] - old[0] - 2 * old[2])) return old;
      const width = Math.max(hi - lo, 1e-9 * Math.max(Math.abs(lo), Math.abs(hi))) || 1, step = 10 ** Math.floor(Math.log10(width)) / 2;
      const low = Math.floor(lo / step) * step, high = Math.ceil(hi / step) * step, more = (high - low) * 0.05 || step;
      return this.axis = [low - more, high + more, more];
    }
    seen() { const r = this.box.getBoundingClientRect(); return r.bottom > -50 && r.top < window.innerHeight + 50; }
  }

  const draw = () => {
    dirty = false;
    const from = Math.min(...[...signals.values()].map(s => s.t.length ? s.t[0] : Infinity));
    if (isFinite(from)) group.all = [Math.min(from, now), Math.max(now, from + 1e-9)];
    if (following) group.range = [span > 0 ? Math.max(group.all[0], group.all[1] - span) : group.all[0], group.all[1]];
    for (const p of group.plots || []) if (p.seen()) p.draw();
    for (const s of signals.values()) tell(s);
    show('clock', `t = ${digits(now)} s`);
  };
  const later = () => { if (!dirty) { dirty = true; requestAnimationFrame(draw); } };

  // Where it stands in the drawing: at the block that it comes from, or the nearest one around it that is drawn.
  const place = signal => {
    for (let path = signal.path; path; path = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '') {
      const block = document.querySelector(`#drawing [data-path="${CSS.escape(path)}"].block`) ||
        document.querySelector(`#drawing [data-path="${CSS.escape(path.replace(/\.[^./]*$/, ''))}"].block`);
      const box = block && block.querySelector(':scope > .box, :scope > .frame, :scope > rect');
      if (!box) continue;
      const n = block.querySelectorAll(':scope > g.reading').length, r = box.getBBox();
      signal.reading = document.createElementNS('http://www.w3.org/2000/svg', 'g');
      signal.reading.setAttribute('class', 'reading');
      signal.reading.setAttribute('transform', `translate(${r.x + r.width / 2},${r.y - 9 - 17 * n})`);
      signal.reading.innerHTML = '<rect rx="3" height="15" y="-8"/><text font-size="11" text-anchor="middle" y="3.5"></text>';
      block.append(signal.reading);
      return;
    }
  };
  const short = v => v === undefined ? '' : String(+(+v).toPrecision(4));
  // A number; a lamp, where all that an output has said was 0 or 1, and it has spoken often enough to tell.
  const tell = s => {
    const text = digits(s.value), unit = s.unit ? ` ${s.unit}` : '';
    const lit = s.binary && (s.event || s.t.length > 25);
    if (s.told === text && lit === !!s.lamp) return;
    s.told = text;
    if (lit) {
      s.lamp = s.lamp || $('lamps').appendChild(make('span', { class: 'lamp' }, s.label));
      s.lamp.dataset.on = s.value === 1 ? 'yes' : 'no';
      s.lamp.setAttribute('aria-label', `${s.label}: ${s.value === 1 ? 'on' : 'off'}`);
      s.lamp.setAttribute('role', 'img');
    } else if (s.lamp) { s.lamp.remove(); s.lamp = null; }
    s.row.hidden = !!s.lamp;
    s.cell.textContent = text;
    if (!s.reading) return;
    const t = s.reading.lastChild, width = 7 + 6.1 * (short(s.value) + unit).length;
    t.textContent = short(s.value) + unit;
    s.reading.firstChild.setAttribute('width', width); s.reading.firstChild.setAttribute('x', -width / 2);
  };

  const add = (panel, lines) => {
    for (const s of panel) {
      Object.assign(s, { name: s.label, t: [], v: [], step: s.event, binary: true, cell: make('td', { class: 'number' }) });
      s.row = make('tr', {}, make('th', { scope: 'row', title: s.path }, s.label), s.cell, make('td', {}, s.unit || ''));
      $('numbers').append(s.row);
      signals.set(s.path, s);
      place(s);
    }
    if (lines) new Live(plots, panel, group, { height: 130, range: group.all });
  };
  // Signals with one unit share a plot, up to four; those without have their own.
  const arrange = list => {
    const panels = [];
    for (const s of list) {
      const at = s.unit && panels.find(p => p[0].unit === s.unit && p.length < 4 && p[0].event === s.event);
      if (at) at.push(s); else panels.push([s]);
    }
    for (const p of panels) add(p, true);
  };

  const cut = t => { for (const s of signals.values()) { const k = above(s.t, t); s.t.length = s.v.length = k; } };
  const take = (t, values) => {
    if (t < now) cut(t);
    now = t;
    for (const [path, v] of Object.entries(values)) {
      const s = signals.get(path), x = typeof v === 'number' ? v : NaN;
      if (!s) continue;
      s.value = typeof v === 'number' ? v : undefined;
      if (s.t.length && s.t[s.t.length - 1] === t && s.v[s.v.length - 1] === x) continue;
      s.t.push(t); s.v.push(x);
      if (v !== 0 && v !== 1) s.binary = false;
      if (s.t.length > MOST) { s.t.splice(0, MOST - LESS); s.v.splice(0, MOST - LESS); }
    }
    later();
  };

  // Levers -------------------------------------------------------------------------------------
  const levers = new Map();
  const steps = (lo, hi) => { const step = 10 ** Math.floor(Math.log10((hi - lo) / 100)); return [1, 2, 5, 10].map(k => k * step).find(s => (hi - lo) / s <= 200) || step; };
  class Lever {
    constructor(info) {
      this.info = info;
      this.bad = info.kind === 'malfunction';
      const { path, lower, upper } = info, id = `lever-${levers.size}`, bounded = typeof lower === 'number' && typeof upper === 'number';
      const unit = info.unit && info.unit !== '1' ? info.unit : '';
      this.number = make('input', { id, type: 'number', step: 'any', 'aria-label': `${path}${unit ? ` in ${unit}` : ''}`, onchange: () => this.set(this.number.value, true) });
      if (typeof lower === 'number') this.number.min = lower;
      if (typeof upper === 'number') this.number.max = upper;
      this.ramp = make('input', { type: 'number', min: 0, step: 'any', value: 0, 'aria-label': `Seconds that ${path} takes` });
      this.where = make('span', { class: 'where' });
      const button = (name, v, says) => make('button', { type: 'button', 'aria-label': says, onclick: () => this.set(v, true) }, name);
      const line = make('div', { class: 'bar' });
      if (bounded) {
        this.slider = make('input', { type: 'range', min: lower, max: upper, step: steps(lower, upper), 'aria-label': path,
          oninput: () => this.set(this.slider.value, false), onchange: () => this.set(this.slider.value, true) });
        line.append(button(this.bad ? 'Off' : digits(lower), lower, this.bad ? `${path}: off` : `${path} to ${digits(lower)}`), this.slider,
          button(this.bad ? 'On' : digits(upper), upper, this.bad ? `${path}: on` : `${path} to ${digits(upper)}`));
      }
      line.append(make('label', { title: 'So long it takes to get there' }, 'ramp', this.ramp, 's'));
      const label = make('label', { for: id }, path);
      this.box = make('div', { class: 'lever' }, make('div', { class: 'bar' }, label, this.where, make('span', { class: 'grow' }),
        this.number, make('span', { class: 'unit' }, unit)), line,
        info.doc ? make('p', { class: 'doc' }, info.doc) : '');
      $({ malfunction: 'malfunctions', outside: 'outside' }[info.kind] || 'settings').append(this.box);
      this.update(info);
    }
    // While a slider is dragged at most one request is on its way; the last value always gets there.
    async set(v, last) {
      v = +v;
      if (!isFinite(v)) return;
      this.wanted = v; this.show(v);
      if (this.busy) return;
      this.busy = true;
      for (let sent; sent !== this.wanted;) {
        sent = this.wanted;
        const request = { do: this.bad ? 'malfunction' : 'set', path: this.info.path, to: sent }, ramp = +this.ramp.value;
        if (ramp > 0) request.ramp = ramp;
        const answer = await ask(request);
        if (!answer.ok) { this.wanted = this.info.target ?? this.info.value; this.show(this.wanted); break; }
      }
      this.busy = false;
      how();
    }
    show(v) {
      if (this.slider && +this.slider.value !== v) this.slider.value = v;
      if (document.activeElement !== this.number || this.wanted === v) this.number.value = +v.toPrecision(9);
    }
    update(info) {
      this.info = info;
      const target = info.target ?? info.value;
      if (!this.busy && typeof target === 'number') this.show(target);
      this.box.classList.toggle('on', this.bad && (info.value !== 0 || target !== 0));
      this.where.textContent = typeof info.value === 'number' && info.value !== target ? `is ${digits(info.value)}` : '';
    }
  }

  // How things are -----------------------------------------------------------------------------
  let state = '', socket = null, ids = 0, asking = false, again = false;
  const waits = new Map(), may = { init: ['loaded', 'ready', 'frozen', 'ended', 'failed'], run: ['ready', 'frozen'], freeze: ['running', 'replaying'], step: ['ready', 'frozen'], back: ['frozen', 'ended', 'failed'] };

  const ask = request => new Promise(done => {
    if (!socket || socket.readyState !== 1) { done({ ok: false, why: 'there is no connection' }); return; }
    waits.set(++ids, answer => {
      if (!answer.ok) say(`${request.do}: ${answer.why || 'refused'}`, true); else if (!['info', 'monitor', 'get'].includes(request.do)) say('');
      done(answer);
    });
    socket.send(JSON.stringify({ id: ids, by: 'page', ...request }));
  });
  const act = async request => { const answer = await ask(request); how(); return answer; };

  const tellState = next => {
    state = next;
    show('state', state);
    $('state').dataset.is = state;
    for (const [id, states] of Object.entries(may)) $(id).disabled = !states.includes(state);
    for (const b of document.querySelectorAll('#places button')) b.disabled = !['ready', 'frozen', 'ended', 'failed'].includes(state);
  };
  // Values come 25 times a second; where the run goes as fast as it can, a thousand times in all of it.
  let fast = null;
  const watch = () => {
    const paths = [...signals.keys()];
    if (paths.length) ask(fast ? { do: 'monitor', paths, every: about.stop > 0 ? about.stop / 1000 : 0.1 } : { do: 'monitor', paths, every: 0.04, wall: true });
  };
  const tellScale = scale => {
    const text = String(scale);
    if (![...$('scale').options].some(o => o.value === text)) $('scale').append(make('option', { value: text }, `${text} \u00d7`));
    $('scale').value = text;
    if (fast !== (text === 'inf')) { fast = text === 'inf'; watch(); }
  };
  const tellPlaces = list => {
    const text = JSON.stringify(list);
    if (text === tellPlaces.told) return;
    tellPlaces.told = text;
    $('places').replaceChildren(...list.map(p => make('li', { class: 'bar' }, make('button', { type: 'button', 'aria-label': `Back to ${p.name}`,
      onclick: () => act({ do: 'load', name: p.name }) }, 'Back to'), make('b', {}, p.name), make('span', { class: 'hint' }, `t = ${digits(p.t)} s`))));
  };
  const tellFrames = f => {
    $('frames').hidden = !f;
    if (!f) return;
    const us = v => typeof v === 'number' ? `${digits(v * 1e6)} \u00b5s` : String(v ?? '');
    const rows = [['frame', `${digits(f.h * 1e3)} ms`], ['frames', f.n], ['missed', f.missed]];
    for (const [key, says] of [['late', 'late'], ['work', 'work']]) for (const [p, v] of Object.entries(f[key] || {})) rows.push([`${says} ${p}`, us(v)]);
    $('frames').querySelector('tbody').replaceChildren(...rows.map(([a, b]) => make('tr', {}, make('th', { scope: 'row' }, a), make('td', { class: 'number' }, String(b)))));
    $('frames').classList.toggle('missed', f.missed > 0);
  };

  let waiting = 0, due = Infinity;
  const soon = ms => {
    const at = performance.now() + ms;
    if (at >= due) return;
    clearTimeout(waiting);
    due = at;
    waiting = setTimeout(() => { due = Infinity; how(); }, ms);
  };
  // One question at a time: what was done meanwhile is asked for after it. Levers that move and frames are asked for again and again.
  const how = async () => {
    if (asking) { again = true; return; }
    asking = true;
    const info = await ask({ do: 'info' });
    if (info.ok) {
      tellState(info.state); tellScale(info.scale); tellPlaces(info.snapshots || []); tellFrames(info.frames);
      for (const l of info.levers || []) { const lever = levers.get(l.path); if (lever) lever.update(l); else levers.set(l.path, new Lever(l)); }
      for (const id of ['malfunctions', 'settings', 'outside']) $(id).hidden = !$(id).querySelector('.lever');
      if (typeof info.t === 'number' && info.t < now) cut(info.t);
      if (typeof info.t === 'number') now = info.t;
      if (state !== 'loaded' && state !== 'running' && signals.size) {
        const got = await ask({ do: 'get', paths: [...signals.keys()] });
        if (got.ok && got.values) take(now, got.values);
      }
      later();
      window.hySession.info = info;
      const moves = (info.levers || []).some(l => l.value !== l.target);
      if (state === 'running' && (moves || info.frames)) soon(250);
    }
    asking = false;
    if (again) { again = false; how(); }
  };

  const words = m => {
    const rest = Object.entries(m).filter(([k]) => !['event', 'n', 't', 'do', 'by', 'wall', 'frame', 'path', 'to', 'after', 'values'].includes(k)).map(([k, v]) => `${k}=${typeof v === 'object' ? JSON.stringify(v) : v}`);
    return [m.do || m.event, m.path, m.to !== undefined ? `= ${typeof m.to === 'number' ? digits(m.to) : m.to}` : '', ...rest, m.by && m.by !== 'page' ? `(${m.by})` : ''].filter(x => x).join(' ');
  };
  const write = m => {
    const log = $('log'), low = log.scrollTop + log.clientHeight > log.scrollHeight - 30;
    log.append(make('li', { class: m.do === 'malfunction' ? 'bad' : '' }, make('b', {}, typeof m.t === 'number' ? `${digits(m.t)} s ` : ''), words(m)));
    while (log.children.length > 500) log.firstChild.remove();
    if (low) log.scrollTop = log.scrollHeight;
  };
  const hear = m => {
    if (m.id !== undefined) { const done = waits.get(m.id); waits.delete(m.id); if (done) done(m); return; }
    if (m.event === 'values') { take(m.t, m.values); return; }
    if (m.event === 'lost') { say(`${m.n} values came too fast and were left out`); return; }
    if (m.do !== 'monitor') write(m);
    if (may.run.concat(may.freeze, may.back, 'failed').includes(m.event)) tellState(m.event);
    soon(30);
  };

  // The connection -----------------------------------------------------------------------------
  let tries = 0;
  const connect = () => {
    socket = new WebSocket(`ws://${location.host}/lines${location.search}`);
    socket.onopen = async () => {
      tries = 0;
      $('lost').hidden = true;
      document.body.classList.remove('lost');
      fast = null; // it is another connection, perhaps another session
      await how();
      document.documentElement.dataset.ready = 'yes';
    };
    socket.onmessage = e => { for (const line of e.data.split('\n')) if (line) hear(JSON.parse(line)); };
    socket.onclose = () => {
      for (const done of waits.values()) done({ ok: false, why: 'the connection is lost' });
      waits.clear();
      document.body.classList.add('lost');
      for (const id of Object.keys(may)) $(id).disabled = true;
      $('lost').hidden = false;
      $('lost').textContent = `No connection to hydevs: what stands here is of t = ${digits(now)} s. Trying again ...`;
      setTimeout(connect, Math.min(5000, 250 * 2 ** tries++));
    };
  };

  // What is pressed ----------------------------------------------------------------------------
  for (const id of Object.keys(may)) $(id).onclick = () => act({ do: id });
  for (const [v, name] of [['0.1', '0.1 \u00d7'], ['1', 'as the clock'], ['10', '10 \u00d7'], ['100', '100 \u00d7'], ['inf', 'as fast as it goes']]) $('scale').append(make('option', { value: v }, name));
  $('scale').onchange = () => act({ do: 'scale', to: $('scale').value === 'inf' ? 'inf' : +$('scale').value });
  for (const [v, name] of [[10, '10 s'], [60, '1 min'], [600, '10 min'], [3600, '1 h'], [0, 'all']]) $('window').append(make('option', { value: v }, name));
  const follow = yes => { following = yes; $('follow').setAttribute('aria-pressed', String(yes)); later(); };
  $('window').onchange = () => { span = +$('window').value; follow(true); };
  $('follow').onclick = () => follow(!following);
  plots.addEventListener('pointerup', () => { if (group.range[1] - group.range[0] < (group.all[1] - group.all[0]) * 0.99) follow(false); });
  plots.addEventListener('keydown', e => { if (e.key === '0') follow(true); else if ('+=-ArrowLeftArrowRight'.includes(e.key)) follow(false); });
  const form = (id, run) => $(id).addEventListener('submit', e => { e.preventDefault(); run(); });
  form('keep', async () => { const name = $('name').value.trim() || `t${digits(now)}`; if ((await act({ do: 'snapshot', name })).ok) $('name').value = ''; });
  form('note', async () => { const text = $('text').value.trim(); if (text && (await act({ do: 'note', text })).ok) $('text').value = ''; });
  form('also', async () => {
    const path = $('path').value.trim();
    if (!path || signals.has(path)) return;
    const got = await ask({ do: 'get', paths: [path] });
    if (!got.ok) return;
    arrange(Object.keys(got.values || { [path]: 0 }).filter(p => !signals.has(p)).map(p => ({ path: p, label: p, unit: '', event: false })));
    $('path').value = '';
    watch();
    how();
  });
  document.addEventListener('keydown', e => {
    if (e.ctrlKey || e.altKey || e.metaKey || e.target.closest('input, select, textarea, .plot')) return;
    const id = { i: 'init', r: 'run', f: 'freeze', s: 'step', b: 'back' }[e.key];
    if (id && !$(id).disabled) { e.preventDefault(); $(id).click(); }
  });

  span = [10, 60, 600, 3600].find(s => s >= about.stop / 4) || (about.stop > 0 ? 0 : 60);
  $('window').value = String(span);
  arrange(about.signals);
  if (!about.signals.length) plots.append(make('p', { class: 'hint' }, 'The experiment records nothing; below signals can be shown.'));
  window.hySession = { signals, levers, group, ask, drop: () => socket.close(), get state() { return state; }, get now() { return now; } };
  tellState('loaded');
  connect();
})();
