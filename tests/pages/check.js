// Put behind the scripts of a page that is tested: what does not hold is told, as text between RESULT and END.
const wrong = [], told = [];
const holds = (what, yes) => { if (!yes) wrong.push(what); };
const equal = (what, wanted, got) => { if (wanted !== got) wrong.push(`${what}: wanted ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`); };
const key = (k, target) => (target || document.body).dispatchEvent(new KeyboardEvent('keydown', { key: k, bubbles: true, cancelable: true }));
const press = name => [...document.querySelectorAll('button')].find(b => b.textContent === name).click();
const wait = ms => new Promise(f => setTimeout(f, ms));
window.addEventListener('error', e => wrong.push('error: ' + e.message));

// How light a colour is, and the contrast of two (Web Content Accessibility Guidelines 2.1, 1.4.3).
const light = colour => {
  const c = colour.match(/[\d.]+/g).slice(0, 3).map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
};
const behind = e => { for (; e; e = e.parentElement) { const b = getComputedStyle(e).backgroundColor; if (!/rgba\(.*, 0\)/.test(b)) return b; } return 'rgb(255,255,255)'; };
function readable() {
  for (const e of document.querySelectorAll('p, h1, h2, button, label, summary, td, th, li, code, span')) {
    if (!e.textContent.trim() || !e.getClientRects().length || e.disabled) continue;
    const a = light(getComputedStyle(e).color), b = light(behind(e)), ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    holds(`contrast ${ratio.toFixed(2)} of ${e.tagName} "${e.textContent.slice(0, 30)}"`, ratio >= 4.5);
  }
  for (const e of document.querySelectorAll('button, select, input, canvas:not([aria-hidden]), [role=region]'))
    holds(`a name for ${e.outerHTML.slice(0, 60)}`, (e.getAttribute('aria-label') || e.textContent || '').trim() !== '');
  const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
  equal('ids are there once', ids.length, new Set(ids).size);
  holds('a language', document.documentElement.lang !== '');
}
function fits() {
  holds(`no sideways scrolling (${document.documentElement.scrollWidth} of ${window.innerWidth})`, document.documentElement.scrollWidth <= window.innerWidth + 1);
  for (const e of document.querySelectorAll('button, label, h1, h2, p')) {
    const r = e.getBoundingClientRect();
    if (r.width && !e.closest('.drawing, .scroll, #log, pre, dialog')) holds(`cut off: "${e.textContent.slice(0, 30)}"`, r.right <= window.innerWidth + 1 && e.scrollWidth <= e.clientWidth + 2);
  }
}
// Nothing that can be used or read lies on something else that can.
function apart() {
  const all = [...document.querySelectorAll('button, select, input, h1, h2, p, summary, canvas:not([aria-hidden]), .legend span, .drawing, .scroll, #log, pre')].filter(e => !e.closest('dialog') && e.getClientRects().length);
  const inside = e => { // what is seen of it
    let r = e.getBoundingClientRect();
    r = { left: r.left, right: r.right, top: r.top, bottom: r.bottom };
    for (let p = e.parentElement; p; p = p.parentElement) if (getComputedStyle(p).overflowY !== 'visible' && p !== document.body) {
      const c = p.getBoundingClientRect();
      r = { left: Math.max(r.left, c.left), right: Math.min(r.right, c.right), top: Math.max(r.top, c.top), bottom: Math.min(r.bottom, c.bottom) };
    }
    return r;
  };
  const seen = all.map(e => ({ e, r: inside(e) })).filter(o => o.r.right - o.r.left > 1 && o.r.bottom - o.r.top > 1);
  seen.forEach((a, k) => seen.slice(k + 1).forEach(b => {
    if (a.e.contains(b.e) || b.e.contains(a.e)) return;
    holds(`apart: ${a.e.tagName} "${a.e.textContent.slice(0, 20)}" and ${b.e.tagName} "${b.e.textContent.slice(0, 20)}"`,
      a.r.right <= b.r.left + 1 || b.r.right <= a.r.left + 1 || a.r.bottom <= b.r.top + 1 || b.r.bottom <= a.r.top + 1);
  }));
}
// What axe-core finds, and that Tab goes through the page as it is read: down, and in a line to the right.
async function audit() {
  const order = [...document.querySelectorAll('button, select, input, summary, [tabindex]')].filter(e => e.tabIndex >= 0 && !e.disabled && e.getClientRects().length && !e.closest('dialog'));
  holds('nothing has a place of its own in the order of Tab', order.every(e => e.tabIndex === 0));
  const column = e => e.closest('#panel') ? 1 : e.closest('.left') ? 0 : -1;
  order.forEach((e, k) => {
    const next = order[k + 1];
    if (!next || e.contains(next) || e.closest('.scroll') || next.closest('.scroll') || column(e) !== column(next)) return;
    const a = e.getBoundingClientRect(), b = next.getBoundingClientRect();
    holds(`Tab from "${e.textContent || e.id}" to "${next.textContent || next.id}"`, b.top >= a.bottom - 2 || b.left >= a.right - 2);
  });
  if (!window.axe) return;
  const found = await axe.run(document, { resultTypes: ['violations'] });
  told.push(`axe-core ${axe.version}: ${found.passes.length} rules passed`);
  holds('axe-core has looked', found.passes.length > 10);
  for (const v of found.violations) for (const n of v.nodes) wrong.push(`axe-core: ${v.id}: ${n.html.slice(0, 120)}: ${n.failureSummary}`);
}
const report = () => {
  const text = `${'RES' + 'ULT'} ${told.join(', ')}${told.length ? ', ' : ''}${wrong.length} wrong\n${wrong.slice(0, 40).join('\n')}\n${'EN' + 'D'}`;
  parent.postMessage(text, '*');
};
