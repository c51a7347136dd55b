// A browser for tests and pictures of pages that are served: Chromium, driven through a pipe by its DevTools protocol, with a mouse and keys
// that are those of a person. Nothing but node is needed.
'use strict';
const { spawn } = require('child_process'), fs = require('fs');

// open(CHROMIUM, FOLDER): FOLDER is for its profile. What goes wrong in a page is collected in `wrong`.
module.exports = async (chromium, folder) => {
  const child = spawn(chromium, ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--remote-debugging-pipe', `--user-data-dir=${folder}/profile`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  const waits = new Map(), wrong = [];
  let ids = 0, rest = '', session, closing = false;
  child.on('exit', (code, signal) => { if (!closing) { console.log(`the browser has ended: ${code ?? signal}`); process.exit(1); } });
  child.stdio[4].on('data', bytes => {
    rest += bytes;
    for (let end; (end = rest.indexOf('\0')) >= 0; rest = rest.slice(end + 1)) {
      const m = JSON.parse(rest.slice(0, end));
      if (m.id) waits.get(m.id)(m);
      else if (m.method === 'Runtime.exceptionThrown') wrong.push(`error: ${m.params.exceptionDetails.exception?.description || m.params.exceptionDetails.text}`);
    }
  });
  const call = (method, params = {}) => new Promise((done, fail) => {
    waits.set(++ids, m => m.error ? fail(new Error(`${method}: ${m.error.message}`)) : done(m.result));
    child.stdio[3].write(JSON.stringify({ id: ids, method, params, sessionId: session }) + '\0');
  });
  const { targetInfos } = await call('Target.getTargets');
  session = (await call('Target.attachToTarget', { targetId: targetInfos.find(t => t.type === 'page').targetId, flatten: true })).sessionId;
  await call('Runtime.enable');
  const page = {
    wrong,
    call,
    go: url => call('Page.navigate', { url }),
    size: (width, height) => call('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false }),
    scheme: value => call('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] }),
    // What EXPRESSION comes to in the page, which may wait for it.
    eval: async expression => {
      const got = await call('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
      if (got.exceptionDetails) throw new Error(`${expression}: ${got.exceptionDetails.exception?.description || got.exceptionDetails.text}`);
      return got.result.value;
    },
    // Until EXPRESSION holds; whoever starts this has a limit of time.
    until: expression => (process.env.HY_TOLD ? console.log(expression) : 0, page.eval(`new Promise(f => { const look = () => { let yes = false; try { yes = ${expression}; } catch { /* not there yet */ } if (yes) f(true); else setTimeout(look, 10); }; look(); })`)),
    key: async (key, text) => {
      const code = { key, text: text ?? (key.length === 1 ? key : undefined), windowsVirtualKeyCode: { ArrowRight: 39, ArrowLeft: 37, End: 35, Home: 36, Enter: 13, Tab: 9 }[key] };
      if (key === 'Enter') code.text = '\r';
      await call('Input.dispatchKeyEvent', { type: 'keyDown', ...code });
      await call('Input.dispatchKeyEvent', { type: 'keyUp', key, windowsVirtualKeyCode: code.windowsVirtualKeyCode });
    },
    type: text => call('Input.insertText', { text }),
    // The mouse at PART (0 .. 1) of the width of what SELECTOR finds.
    press: async (selector, part = 0.5) => {
      const at = await page.eval(`(() => { const e = document.querySelector(${JSON.stringify(selector)}); e.scrollIntoView({ block: 'center' }); const r = e.getBoundingClientRect(); return { x: r.left + r.width * ${part}, y: r.top + r.height / 2 }; })()`);
      for (const type of ['mousePressed', 'mouseReleased']) await call('Input.dispatchMouseEvent', { type, ...at, button: 'left', clickCount: 1 });
    },
    picture: async file => fs.writeFileSync(file, Buffer.from((await call('Page.captureScreenshot', { format: 'png' })).data, 'base64')),
    close: () => new Promise(done => { closing = true; child.on('exit', done); child.kill(); }),
  };
  return page;
};
