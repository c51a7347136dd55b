// Plots on canvas: many points, zoomed and read by mouse, finger or keys. No library, no network.
'use strict';
const hy = (() => {
  // Okabe and Ito's colours, darkened until they stand out from white; dashes say the same without colour.
  const colours = ['#005a9c', '#b35900', '#00735a', '#a3386c', '#6b5200', '#4a3fa8', '#2b2b2b', '#a01515'];
  const dashes = [[], [7, 3], [2, 2], [9, 3, 2, 3], [12, 4], [4, 4], [1, 3], [9, 3, 2, 3, 2, 3]];

  const make = (tag, attributes, ...inside) => {
    const e = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes || {}))
      if (key.startsWith('on')) e.addEventListener(key.slice(2), value); else e.setAttribute(key, value);
    e.append(...inside);
    return e;
  };
  const digits = v => v === undefined || Number.isNaN(v) ? '' : !isFinite(v) ? String(v).replace('Infinity', '\u221e') : v !== 0 && Math.abs(v) < 1e-4 ? String(+v.toPrecision(6)).includes('e') ? String(+v.toPrecision(6)) : v.toExponential(5).replace(/\.?0+e/, 'e') : String(+v.toPrecision(6));

  // Ticks at 1, 2 or 5 times a power of ten.
  const ticks = (lo, hi, n) => {
    const raw = (hi - lo) / Math.max(n, 1), power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map(k => k * power).find(s => s >= raw) || 10 * power, all = [];
    for (let k = Math.ceil(lo / step - 1e-9); k * step <= hi + 1e-9 * step && all.length < 60; k++) all.push(k * step);
    return { all, text: v => String(+(Math.abs(v) < step / 1e6 ? 0 : v).toPrecision(12 - 0) * 1).length > 9 ? v.toPrecision(6).replace(/\.?0+(e|$)/, '$1') : String(+v.toPrecision(12)) };
  };

  // In which unit a time axis is told: the largest in which an end of it is at least 1, as plot_script.c has it.
  const timeUnit = (lo, hi) => {
    const units = [['s', 1], ['ms', 1e3], ['\u00b5s', 1e6], ['ns', 1e9], ['ps', 1e12]], size = Math.max(Math.abs(lo), Math.abs(hi));
    const [name, factor] = size > 0 && isFinite(size) ? units.find(u => size * u[1] >= 0.9999999) || units[units.length - 1] : units[0];
    return { name, factor };
  };

  // The first index whose t is above x.
  const above = (t, x) => {
    let lo = 0, hi = t.length;
    while (lo < hi) { const m = (lo + hi) >> 1; if (t[m] <= x) lo = m + 1; else hi = m; }
    return lo;
  };

  class Plot {
    // series: {name, unit, t, v, step}; group: plots with one time axis; title: for those who cannot see it
    constructor(parent, series, group, options = {}) {
      this.series = series;
      this.group = group;
      this.options = options;
      this.box = make('div', { class: 'plot' });
      this.legend = make('div', { class: 'legend' });
      const names = series.map(s => s.name).join(', ');
      this.canvas = make('canvas', { tabindex: 0, role: 'img', 'aria-label':
        `Plot of ${names} over time. Plus and minus zoom, left and right move, 0 shows all, Home and End move the cursor.` });
      this.over = make('canvas', { class: 'over', 'aria-hidden': 'true' }); // cursor and mark
      this.box.append(this.legend, make('div', { class: 'layers' }, this.canvas, this.over));
      parent.append(this.box);
      this.readings = series.map((s, k) => {
        const line = make('i', { style: `border-top-color:${colours[k % 8]};border-top-style:${dashes[k % 8].length ? 'dashed' : 'solid'}` });
        const b = make('b');
        this.legend.append(make('span', {}, line, s.name + (s.unit ? ` [${s.unit}] ` : ' '), b));
        if (s.band) this.legend.append(make('span', {}, make('i', { class: 'band', style: `background:${colours[k % 8]}33` }), s.band.name));
        return b;
      });
      group.plots = group.plots || [];
      group.plots.push(this);
      if (group.all === undefined || options.range) group.all = options.range || [Infinity, -Infinity];
      if (!options.range) for (const s of series) if (s.t.length)
        group.all = [Math.min(group.all[0], s.t[0]), Math.max(group.all[1], s.t[s.t.length - 1])];
      group.range = [...group.all];
      this.listen();
      new ResizeObserver(() => requestAnimationFrame(() => this.draw())).observe(this.box);
    }

    redraw() { for (const p of this.group.plots) p.draw(); }
    show(lo, hi) {
      const [a, b] = this.group.all, least = (b - a) * 1e-9 || 1e-12;
      if (hi - lo < least) return;
      this.group.range = [Math.max(lo, a), Math.min(hi, b)];
      if (this.group.range[0] >= this.group.range[1]) this.group.range = [a, b];
      this.redraw();
    }
    zoom(factor, at) {
      const [lo, hi] = this.group.range;
      this.show(at - (at - lo) * factor, at + (hi - at) * factor);
    }
    move(part) {
      let [lo, hi] = this.group.range;
      const [a, b] = this.group.all, d = Math.max(a - lo, Math.min(b - hi, part * (hi - lo)));
      this.show(lo + d, hi + d);
    }
    read(t) { this.group.cursor = t; for (const p of this.group.plots) p.marks(); }

    time(event) {
      const r = this.canvas.getBoundingClientRect(), [lo, hi] = this.group.range;
      return lo + (hi - lo) * Math.min(1, Math.max(0, (event.clientX - r.left - this.left) / (r.width - this.left - 12)));
    }
    listen() {
      const c = this.canvas;
      let from = null;
      c.addEventListener('wheel', e => { if (!e.ctrlKey && !e.shiftKey) return; e.preventDefault(); this.zoom(e.deltaY > 0 ? 1.25 : 0.8, this.time(e)); }, { passive: false });
      c.addEventListener('pointerdown', e => { from = this.time(e); c.setPointerCapture(e.pointerId); });
      c.addEventListener('pointermove', e => { this.group.mark = from; this.read(this.time(e)); });
      c.addEventListener('pointerup', e => {
        const to = this.time(e), [lo, hi] = this.group.range;
        this.group.mark = null;
        if (from !== null && Math.abs(to - from) > (hi - lo) / 100) this.show(Math.min(from, to), Math.max(from, to));
        from = null;
        this.redraw();
      });
      c.addEventListener('pointerleave', () => { if (from === null && !this.options.holds) this.read(undefined); });
      c.addEventListener('dblclick', () => this.show(...this.group.all));
      c.addEventListener('keydown', e => {
        const [lo, hi] = this.group.range, mid = (lo + hi) / 2, at = this.group.cursor ?? mid;
        const done = { '+': () => this.zoom(0.5, at), '=': () => this.zoom(0.5, at), '-': () => this.zoom(2, at),
          '0': () => this.show(...this.group.all), ArrowLeft: () => e.shiftKey ? this.read(at - (hi - lo) / 100) : this.move(-0.1),
          ArrowRight: () => e.shiftKey ? this.read(at + (hi - lo) / 100) : this.move(0.1), Home: () => this.read(lo), End: () => this.read(hi) }[e.key];
        if (done) { e.preventDefault(); e.stopPropagation(); done(); }
      });
    }

    // What is seen of a series: lowest and highest, with the points just outside.
    extent() {
      let lo = Infinity, hi = -Infinity;
      const [a, b] = this.group.range;
      for (const s of this.series) for (const [low, high] of s.band ? [[s.band.lo, s.band.hi]] : [[s.v, s.v]])
        for (let k = Math.max(0, above(s.t, a) - 1), end = Math.min(s.t.length, above(s.t, b) + 1); k < end; k++) {
          const l = low[k], h = high[k]; // no comparison holds of NaN
          if (l < lo && l > -Infinity) lo = l;
          if (h > hi && h < Infinity) hi = h;
        }
      if (lo > hi) return [0, 1];
      const more = (hi - lo) * 0.06 || Math.abs(hi) * 0.1 || 1;
      return [lo - more, hi + more];
    }

    draw() {
      const scale = window.devicePixelRatio || 1, font = parseFloat(getComputedStyle(this.legend).fontSize) || 13;
      const width = Math.max(120, this.box.clientWidth - 10);
      const height = Math.round((this.options.height * font / 13 || Math.max(150, Math.min(340, Math.round(window.innerHeight / 4)))) + font * 1.4);
      const c = this.canvas, g = c.getContext('2d');
      for (const e of [c, this.over]) { e.width = width * scale; e.height = height * scale; e.style.height = height + 'px'; }
      g.scale(scale, scale);
      g.font = `${font * 0.92}px Helvetica, Arial, sans-serif`;
      const [t0, t1] = this.group.range, [v0, v1] = this.extent();
      const yTicks = ticks(v0, v1, (height - font * 1.4) / (font * 3.4));
      this.left = 14 + Math.max(...yTicks.all.map(v => g.measureText(yTicks.text(v)).width), 20);
      const left = this.left, right = width - 12, top = 6, bottom = height - font * 3.1;
      const x = t => left + (t - t0) / (t1 - t0) * (right - left), y = v => bottom - (v - v0) / (v1 - v0) * (bottom - top);
      g.strokeStyle = '#e1e6eb'; g.fillStyle = '#444c55'; g.lineWidth = 1;
      g.textAlign = 'right'; g.textBaseline = 'middle';
      for (const v of yTicks.all) { g.beginPath(); g.moveTo(left, y(v)); g.lineTo(right, y(v)); g.stroke(); g.fillText(yTicks.text(v), left - 5, y(v)); }
      g.textBaseline = 'top';
      const unit = this.unit = timeUnit(t0, t1), wide = all => Math.max(0, ...all.all.map(t => g.measureText(all.text(t)).width));
      let many = (right - left) / (font * 7), xTicks = ticks(t0 * unit.factor, t1 * unit.factor, many);
      while (many > 1 && wide(xTicks) * 1.25 > (right - left) / Math.max(1, xTicks.all.length)) xTicks = ticks(t0 * unit.factor, t1 * unit.factor, many /= 1.5);
      for (const tick of xTicks.all) {
        const at = x(tick / unit.factor), w = g.measureText(xTicks.text(tick)).width / 2;
        g.beginPath(); g.moveTo(at, top); g.lineTo(at, bottom); g.stroke();
        g.textAlign = at + w > width ? 'right' : 'center'; g.fillText(xTicks.text(tick), at + w > width ? width : at, bottom + 4);
      }
      g.textAlign = 'center';
      g.fillText(`t in ${unit.name}`, (left + right) / 2, bottom + 4 + font * 1.3);
      g.save();
      g.beginPath(); g.rect(left, top, right - left, bottom - top); g.clip();
      this.series.forEach((s, k) => this.curve(g, s, k, x, y, left, right));
      g.restore();
      g.strokeStyle = '#76818c'; g.setLineDash([]); g.strokeRect(left, top, right - left, bottom - top);
      this.scale = scale;
      this.place = { x, top, bottom, right };
      this.marks();
    }
    curve(g, s, k, x, y, left, right) {
      const [t0, t1] = this.group.range, { t, v } = s, from = Math.max(0, above(t, t0) - 1), end = Math.min(t.length, above(t, t1) + 1);
      if (s.band) {
        g.fillStyle = colours[k % 8] + '33';
        g.beginPath();
        for (let i = from; i < end; i++) g.lineTo(x(t[i]), y(s.band.hi[i]));
        for (let i = end; i-- > from;) g.lineTo(x(t[i]), y(s.band.lo[i]));
        g.fill();
      }
      g.strokeStyle = g.fillStyle = colours[k % 8]; const sparse = end - from < (right - left) / 2;
      g.lineWidth = sparse ? 1.6 : 1; g.setLineDash(sparse ? dashes[k % 8] : []);
      g.beginPath();
      if (end - from < right - left) {
        for (let i = from; i < end; i++) {
          if (i > from && s.step) g.lineTo(x(t[i]), y(v[i - 1]));
          if (i === from) g.moveTo(x(t[i]), y(v[i])); else g.lineTo(x(t[i]), y(v[i]));
        }
        if (s.step && end === t.length && end > 0) g.lineTo(x(this.group.all[1]), y(v[end - 1]));
        g.stroke();
        return;
      }
      // Of each column of pixels the lowest and the highest, as bars that meet those beside them, and where columns have no point a line over
      // them, as points may stand in clusters; of several curves a band that is seen through.
      g.globalAlpha = this.series.length > 1 ? 0.65 : 1;
      const scale = (right - left) / (t1 - t0);
      for (let i = from, last = v[from], before = Infinity; i < end;) {
        const px = Math.floor((t[i] - t0) * scale), until = (px + 1) / scale + t0;
        if (px > before + 1) {
          g.moveTo(x(t[i - 1]), y(last));
          if (s.step) g.lineTo(x(t[i]), y(last)); else { g.lineTo(x(t[i]), y(v[i])); last = v[i]; }
        }
        before = px;
        let lo = Math.min(v[i], last), hi = Math.max(v[i], last);
        for (i++; i < end && t[i] < until; i++) { const a = v[i]; if (a < lo) lo = a; if (a > hi) hi = a; }
        last = v[i - 1];
        const top = y(hi) - 0.8;
        g.fillRect(left + px, top, 1, y(lo) + 0.8 - top);
      }
      if (s.step && end === t.length) { g.moveTo(x(t[end - 1]), y(v[end - 1])); g.lineTo(x(this.group.all[1]), y(v[end - 1])); }
      g.lineWidth = 1.6;
      g.stroke();
      g.globalAlpha = 1;
    }
    marks() {
      if (!this.place) return;
      const { cursor, mark } = this.group, c = this.over, g = c.getContext('2d'), { x, top, bottom, right } = this.place;
      g.setTransform(1, 0, 0, 1, 0, 0);
      g.clearRect(0, 0, c.width, c.height);
      g.scale(this.scale, this.scale);
      g.beginPath(); g.rect(this.left, top, right - this.left, bottom - top); g.clip();
      if (mark !== null && mark !== undefined && cursor !== undefined) {
        g.fillStyle = '#005a9c22'; g.fillRect(x(mark), top, x(cursor) - x(mark), bottom - top);
      }
      if (cursor !== undefined) { g.strokeStyle = '#1a1f26'; g.lineWidth = 1; g.setLineDash([3, 3]); g.beginPath(); g.moveTo(x(cursor), top); g.lineTo(x(cursor), bottom); g.stroke(); }
      this.series.forEach((s, k) => { const text = this.reading(s); if (this.readings[k].textContent !== text) this.readings[k].textContent = text; });
    }
    reading(s) {
      const t = this.group.cursor;
      if (t === undefined || !s.t.length) return '';
      const k = above(s.t, t) - 1;
      if (k < 0) return '';
      const line = s.step || k + 1 >= s.t.length || s.t[k + 1] === s.t[k];
      const v = line ? s.v[k] : s.v[k] + (s.v[k + 1] - s.v[k]) * (t - s.t[k]) / (s.t[k + 1] - s.t[k]);
      const unit = this.unit || timeUnit(t, t);
      return `${digits(v)} at ${digits(t * unit.factor)} ${unit.name}`;
    }
  }
  return { Plot, make, digits, above, ticks, timeUnit };
})();
