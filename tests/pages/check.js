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
  for (const e of document.querySelectorAll('button, select, input, canvas, [role=region]'))
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
const report = () => { document.body.textContent = `${'RES' + 'ULT'} ${told.join(', ')}${told.length ? ', ' : ''}${wrong.length} wrong\n${wrong.slice(0, 40).join('\n')}\n${'EN' + 'D'}`; };
