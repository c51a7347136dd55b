// The plots of a run: one picture for each unit, one time axis for all of them.
'use strict';
(() => {
  const element = document.getElementById('recording');
  if (!element) return;
  const { make, Plot } = hy, began = performance.now(), group = {}, box = document.getElementById('plots');
  const unpack = s => {
    const text = atob(s.points), bytes = new Uint8Array(text.length);
    for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
    const view = new DataView(bytes.buffer), t = new Float64Array(s.n), v = new Float32Array(s.n), width = (s.to - s.from) / 4294967295;
    for (let k = 0; k < s.n; k++) { t[k] = s.from + width * view.getUint32(4 * k, true); v[k] = view.getFloat32(4 * (s.n + k), true); }
    return { name: s.name, unit: s.unit, step: s.step, t, v };
  };
  const tables = JSON.parse(element.textContent), all = () => group.plots[0];
  const button = (name, says, run) => make('button', { type: 'button', title: says, 'aria-label': says, onclick: run }, name);
  const middle = () => group.cursor ?? (group.range[0] + group.range[1]) / 2;
  if (!tables.some(panels => panels.length)) { box.append(make('p', { class: 'hint' }, 'Nothing is recorded.')); return; }
  box.append(make('div', { class: 'bar', role: 'toolbar', 'aria-label': 'Plots' },
    button('+', 'Zoom in', () => all().zoom(0.5, middle())), button('\u2212', 'Zoom out', () => all().zoom(2, middle())),
    button('\u2190', 'Earlier', () => all().move(-0.25)), button('\u2192', 'Later', () => all().move(0.25)), button('All', 'All of the time', () => all().show(...group.all)),
    make('span', { class: 'hint' }, 'Drag to look closer, double click for all; on a plot + \u2212 0, arrows, with shift the cursor.')));
  const panels = tables.flat().map(panel => panel.map(unpack));
  for (const panel of panels) new Plot(box, panel, group);
  for (const p of group.plots) p.draw();
  document.documentElement.dataset.ready = (performance.now() - began).toFixed(1);
  window.hyReport = { group, panels };
})();
