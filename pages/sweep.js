// The runs of a sweep: plots to select runs in, what is known of the selected ones, a table to sort.
'use strict';
(() => {
  const element = document.getElementById('sweep');
  if (!element) return;
  const { make, digits, ticks } = hy, began = performance.now(), box = document.getElementById('runs'), data = JSON.parse(element.textContent);
  const n = data.run.length, columns = data.columns, rows = Array.from({ length: n }, (_, k) => k);
  const failed = k => data.status[k] !== '0', isNumber = v => typeof v === 'number' && isFinite(v);
  const measures = columns.filter(c => c.kind === 'measure'), numeric = columns.filter(c => c.v.some(isNumber));
  const axes = [{ name: 'run', v: data.run }, ...numeric], named = c => c.name + (c.unit ? ` [${c.unit}]` : '');
  const blue = '#005a9c', grey = '#c3ccd5', orange = '#b35900', shown = 200;

  // What is selected: of all brushes what each of them lets through. A brush: {from, to} of a column, or a set of runs.
  const brushes = new Map();
  let selected = new Uint8Array(n).fill(1), order = { by: null, down: false }, over = axes[1] || axes[0];
  const select = () => {
    for (let k = 0; k < n; k++) {
      selected[k] = 1;
      for (const test of brushes.values()) if (!test(k)) { selected[k] = 0; break; }
    }
    draw();
  };
  const within = (column, from, to) => k => isNumber(column.v[k]) && column.v[k] >= from && column.v[k] <= to;
  const quantile = (v, p) => { const at = p * (v.length - 1), k = Math.floor(at); return k + 1 < v.length ? v[k] + (at - k) * (v[k + 1] - v[k]) : v[k]; };
  const range = v => {
    let lo = Infinity, hi = -Infinity;
    for (const x of v) if (isNumber(x)) { lo = Math.min(lo, x); hi = Math.max(hi, x); }
    const more = (hi - lo) * 0.04 || Math.abs(hi) * 0.05 || 1;
    return lo > hi ? [0, 1] : [lo - more, hi + more];
  };

  // A picture with axes; DRAW gets the scales, BRUSHED the two corners of what was dragged over.
  class Picture {
    constructor(parent, label, paint, brushed) {
      this.canvas = make('canvas', { role: 'img', 'aria-label': label });
      this.paint = paint; this.from = null;
      parent.append(this.canvas);
      const c = this.canvas, at = e => { const r = c.getBoundingClientRect(); return [e.clientX - r.left, e.clientY - r.top]; };
      c.addEventListener('pointerdown', e => { this.from = at(e); c.setPointerCapture(e.pointerId); });
      c.addEventListener('pointermove', e => { if (this.from) { this.to = at(e); this.draw(); } });
      c.addEventListener('pointerup', e => {
        const a = this.from, b = at(e);
        this.from = this.to = null;
        if (a && Math.abs(b[0] - a[0]) > 3) brushed(...[0, 1].map(k => this.scale[k].invert(a[k])), ...[0, 1].map(k => this.scale[k].invert(b[k]))); else this.draw();
      });
      new ResizeObserver(() => requestAnimationFrame(() => this.draw())).observe(parent);
    }
    draw() {
      const ratio = window.devicePixelRatio || 1, font = parseFloat(getComputedStyle(this.canvas).fontSize) || 13, width = Math.max(120, this.canvas.clientWidth), height = Math.round(font * 15), g = this.canvas.getContext('2d');
      this.canvas.width = width * ratio; this.canvas.height = height * ratio; this.canvas.style.height = height + 'px';
      g.scale(ratio, ratio);
      g.font = `${font * 0.92}px Helvetica, Arial, sans-serif`;
      const place = { left: font * 5.2, right: width - 10, top: 8, bottom: height - font * 3.1 };
      const line = (lo, hi, a, b) => { const f = v => a + (v - lo) / (hi - lo) * (b - a); f.invert = p => lo + (p - a) / (b - a) * (hi - lo); f.lo = lo; f.hi = hi; return f; };
      const { x, y, xName, marks } = this.paint.ranges();
      this.scale = [line(...x, place.left, place.right), line(...y, place.bottom, place.top)];
      const [sx, sy] = this.scale;
      g.fillStyle = '#444c55'; g.strokeStyle = '#e1e6eb'; g.lineWidth = 1;
      let many = (place.right - place.left) / (font * 7), along = ticks(sx.lo, sx.hi, many); // one alone is no scale
      while (along.all.length < 2 && many < 10) along = ticks(sx.lo, sx.hi, many *= 1.5);
      const up = ticks(sy.lo, sy.hi, (place.bottom - place.top) / (font * 2.6));
      g.textAlign = 'center'; g.textBaseline = 'top';
      for (const v of along.all) { g.beginPath(); g.moveTo(sx(v), place.top); g.lineTo(sx(v), place.bottom); g.stroke(); g.fillText(along.text(v), sx(v), place.bottom + 4); }
      g.textAlign = 'right'; g.textBaseline = 'middle';
      for (const v of up.all) { g.beginPath(); g.moveTo(place.left, sy(v)); g.lineTo(place.right, sy(v)); g.stroke(); g.fillText(up.text(v), place.left - 5, sy(v)); }
      g.textAlign = 'center'; g.textBaseline = 'top'; g.fillText(xName, (place.left + place.right) / 2, place.bottom + 4 + font * 1.3);
      this.paint.draw(g, sx, sy, place);
      g.strokeStyle = orange; g.setLineDash([5, 3]);
      for (const [isX, v] of marks) {
        g.beginPath();
        if (isX) { g.moveTo(sx(v), place.top); g.lineTo(sx(v), place.bottom); } else { g.moveTo(place.left, sy(v)); g.lineTo(place.right, sy(v)); }
        g.stroke();
      }
      g.setLineDash([]);
      if (this.from && this.to) { g.fillStyle = blue + '22'; g.fillRect(this.from[0], this.from[1], this.to[0] - this.from[0], this.to[1] - this.from[1]); }
    }
  }

  const bounds = c => [c.min, c.max].filter(isNumber);
  const scatter = measure => ({
    ranges: () => ({ x: range(over.v), y: range(measure.v), xName: named(over), marks: bounds(measure).map(v => [false, v]) }),
    draw(g, x, y) {
      for (const pass of [0, 1]) { // what is not selected lies behind
        g.fillStyle = pass ? blue : grey;
        for (const k of rows) if (selected[k] === pass && isNumber(over.v[k]) && isNumber(measure.v[k])) g.fillRect(x(over.v[k]) - 1.5, y(measure.v[k]) - 1.5, 3, 3);
      }
    },
  });
  const bins = 40, histogram = measure => {
    const [lo, hi] = range(measure.v), bin = v => Math.min(bins - 1, Math.floor((v - lo) / (hi - lo) * bins)), all = new Array(bins).fill(0);
    for (const v of measure.v) if (isNumber(v)) all[bin(v)]++;
    return {
      ranges: () => ({ x: [lo, hi], y: [0, Math.max(1, ...all) * 1.05], xName: named(measure), marks: bounds(measure).map(v => [true, v]) }),
      draw(g, x, y) {
        const some = new Array(bins).fill(0), width = x(lo + (hi - lo) / bins) - x(lo);
        for (const k of rows) if (selected[k] && isNumber(measure.v[k])) some[bin(measure.v[k])]++;
        for (const [count, colour] of [[all, grey], [some, blue]]) {
          g.fillStyle = colour;
          count.forEach((c, k) => g.fillRect(x(lo + (hi - lo) * k / bins), y(c), Math.max(1, width - 1), y(0) - y(c)));
        }
      },
    };
  };
  const spread = measure => {
    const v = rows.filter(k => selected[k] && isNumber(measure.v[k])).map(k => measure.v[k]).sort((a, b) => a - b), mean = v.reduce((s, x) => s + x, 0) / v.length;
    if (!v.length) return 'no run has a value';
    const deviation = v.length > 1 ? Math.sqrt(v.reduce((s, x) => s + (x - mean) ** 2, 0) / (v.length - 1)) : 0;
    const good = v.filter(x => !(x < measure.min) && !(x > measure.max)).length, all = rows.filter(k => selected[k]).length;
    return `${v.length} runs; mean ${digits(mean)}, deviation ${digits(deviation)}; least ${digits(v[0])}, 5 % ${digits(quantile(v, 0.05))}, median ${digits(quantile(v, 0.5))}, 95 % ${digits(quantile(v, 0.95))}, largest ${digits(v[v.length - 1])}` +
      (bounds(measure).length ? `; ${good} of ${all} runs (${digits(100 * good / all)} %) within bounds` : '');
  };

  // Above: the parameter along the axes, a range by keys, all runs again.
  const option = (c, k) => make('option', { value: k }, named(c)), told = make('span', { class: 'hint', role: 'status' });
  const which = make('select', { 'aria-label': 'Along the axes', onchange: e => { over = axes[e.target.value]; draw(); } }, ...axes.map(option));
  which.value = axes.indexOf(over);
  const of = make('select', { 'aria-label': 'Runs by the column' }, ...axes.map(option)), from = make('input', { size: 8, 'aria-label': 'from' }), to = make('input', { size: 8, 'aria-label': 'to' });
  const number = (e, none) => e.value.trim() === '' || isNaN(e.value) ? none : +e.value;
  const apply = () => { brushes.set('keys', within(axes[of.value], number(from, -Infinity), number(to, Infinity))); select(); };
  box.append(make('div', { class: 'bar', role: 'toolbar', 'aria-label': 'Runs' }, make('label', {}, 'Over', which), make('label', {}, 'Runs where', of), make('label', {}, 'from', from), make('label', {}, 'to', to),
    make('button', { type: 'button', onclick: apply }, 'Select'), make('button', { type: 'button', onclick: () => { brushes.clear(); select(); } }, 'All runs'), told));
  const pictures = [], spreads = [];
  for (const m of measures) {
    const pair = make('div', { class: 'pair' }), line = make('p', { class: 'hint' });
    box.append(make('h2', {}, m.label ? `${m.label}: ${named(m)}` : named(m)), line, pair);
    spreads.push(() => { line.textContent = spread(m); });
    const key = `of ${m.name}`;
    pictures.push(new Picture(place(pair), `${m.name} of each run`, scatter(m), (x0, y0, x1, y1) => {
      const a = within(over, Math.min(x0, x1), Math.max(x0, x1)), b = within(m, Math.min(y0, y1), Math.max(y0, y1));
      brushes.set(key, k => a(k) && b(k)); select();
    }));
    pictures.push(new Picture(place(pair), `How many runs have which ${m.name}`, histogram(m), (x0, y0, x1) => { brushes.set(`${key}, counted`, within(m, Math.min(x0, x1), Math.max(x0, x1))); select(); }));
  }
  function place(pair) { const part = make('div', { class: 'plot' }); pair.append(part); return part; }

  // Why runs have failed, and how many for each cause; by how much a bound is missed makes no other one.
  const causes = new Map();
  for (const k of rows) if (failed(k)) { const cause = (data.why[k] || '').replace(/: \S+( \S+)? is (above|below) /g, ' is $2 ') || `status ${data.status[k]}`; if (!causes.has(cause)) causes.set(cause, []); causes.get(cause).push(k); }
  if (causes.size) {
    const body = make('tbody');
    for (const [cause, runs] of [...causes].sort((a, b) => b[1].length - a[1].length).slice(0, 50))
      body.append(make('tr', {}, make('td', { class: 'number' }, String(runs.length)), make('td', {}, `run ${data.run[runs[0]]}`), make('td', {}, cause),
        make('td', {}, make('button', { type: 'button', onclick: () => { const set = new Set(runs); brushes.clear(); brushes.set('cause', k => set.has(k)); select(); } }, 'Show'))));
    box.append(make('h2', {}, 'What has failed'), make('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Failures by cause' },
      make('table', { id: 'causes' }, make('thead', {}, make('tr', {}, ...['runs', 'first', 'why', ''].map(t => make('th', { scope: 'col' }, t || make('span', { class: 'hint' }, 'show'))))), body)));
  }

  const shownColumns = [{ name: 'run', v: data.run }, ...columns, { name: 'status', v: data.status }, ...(causes.size ? [{ name: 'why', v: data.why }] : [])];
  const body = make('tbody'), heads = shownColumns.map(c => {
    const head = make('th', { scope: 'col' });
    head.append(make('button', { type: 'button', onclick: () => { order = { by: c, down: order.by === c && !order.down }; draw(); } }, named(c)));
    return head;
  });
  const there = v => v !== null && v !== undefined && v !== '', sign = (a, b) => (a > b) - (a < b); // what is not there comes last
  const compare = (a, b) => !there(a) || !there(b) ? there(b) - there(a) : (order.down ? -1 : 1) * (isNumber(a) && isNumber(b) ? a - b : isNumber(a) ? -1 : isNumber(b) ? 1 : sign(a, b));
  box.append(make('h2', {}, 'Runs'), make('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Runs' }, make('table', { id: 'table' }, make('thead', {}, make('tr', {}, ...heads)), body)));
  const list = () => {
    let all = rows.filter(k => selected[k]);
    if (order.by) all.sort((a, b) => compare(order.by.v[a], order.by.v[b]) || a - b);
    heads.forEach((h, k) => h.setAttribute('aria-sort', shownColumns[k] !== order.by ? 'none' : order.down ? 'descending' : 'ascending'));
    body.replaceChildren(...all.slice(0, shown).map(k => make('tr', failed(k) ? { class: 'failed' } : {}, ...shownColumns.map(c => make('td', isNumber(c.v[k]) ? { class: 'number' } : {}, isNumber(c.v[k]) ? digits(c.v[k]) : String(c.v[k] ?? ''))))));
    told.textContent = `${all.length} of ${n} runs` + (all.length > shown ? `; the table has the first ${shown} of them` : '');
  };
  function draw() { for (const p of pictures) p.draw(); for (const s of spreads) s(); list(); }
  draw();
  document.documentElement.dataset.ready = (performance.now() - began).toFixed(1);
  window.hySweep = { data, selected: () => rows.filter(k => selected[k]).map(k => data.run[k]) };
})();
