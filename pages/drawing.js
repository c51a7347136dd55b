// A drawing by itself: larger, smaller, all of it; what a block is called where there are many.
'use strict';
(() => {
  const box = document.getElementById('drawing'), svg = box.querySelector('svg'), bar = document.getElementById('tools');
  if (!svg || !bar) return;
  const { make } = hy, { width, height } = svg.viewBox.baseVal;
  const whole = () => Math.min((box.clientWidth - 4) / width, (window.innerHeight * 0.82) / height);
  let size = 1;
  const show = s => { // what is in the middle stays there
    const x = (box.scrollLeft + box.clientWidth / 2) / size, y = (box.scrollTop + box.clientHeight / 2) / size;
    size = Math.max(0.05, Math.min(20, s));
    svg.setAttribute('width', width * size); svg.setAttribute('height', height * size);
    box.scrollTo(x * size - box.clientWidth / 2, y * size - box.clientHeight / 2);
  };
  const button = (name, says, key, run) => make('button', { type: 'button', title: `${says} (${key})`, 'aria-label': says, 'aria-keyshortcuts': key, onclick: run }, name);
  const blocks = [...svg.querySelectorAll('g.block')], found = make('span', { role: 'status' });
  const find = make('input', { 'aria-label': 'Find blocks whose path has', placeholder: 'find blocks ...', size: 18, oninput: () => {
    const these = find.value === '' ? [] : blocks.filter(b => b.dataset.path.includes(find.value));
    blocks.forEach(b => b.classList.toggle('active', these.includes(b)));
    found.textContent = find.value === '' ? '' : `${these.length} of ${blocks.length} blocks: ${these.slice(0, 5).map(b => b.dataset.path).join(', ')}${these.length > 5 ? ', ...' : ''}`;
    if (these.length) these[0].scrollIntoView({ block: 'nearest', inline: 'nearest' });
  } });
  bar.append(button('+', 'Larger', '+', () => show(size * 1.25)), button('\u2212', 'Smaller', '-', () => show(size * 0.8)),
    button('All', 'All of it', '0', () => show(whole())), button('1:1', 'As it is printed', '1', () => show(1)), find, found);
  let from = null;
  box.addEventListener('pointerdown', e => { if (e.pointerType === 'mouse') { from = [e.clientX + box.scrollLeft, e.clientY + box.scrollTop]; } });
  box.addEventListener('pointermove', e => { if (from && e.buttons) box.scrollTo(from[0] - e.clientX, from[1] - e.clientY); else from = null; });
  document.addEventListener('keydown', e => {
    if (e.ctrlKey || e.altKey || e.metaKey || e.target === find) return;
    const act = { '+': () => show(size * 1.25), '-': () => show(size * 0.8), '0': () => show(whole()), 1: () => show(1), '/': () => find.focus() }[e.key];
    if (act) { e.preventDefault(); act(); }
  });
  show(Math.min(whole(), 2));
  window.hyDrawing = { get size() { return size; }, whole };
})();
