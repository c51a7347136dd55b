// The page of a session, used by mouse and keys. node session.js CHROMIUM FOLDER ADDRESS PID AXE: PID is that of hydevs, which is ended;
// AXE is axe-core, or empty. Nothing here waits for a time, but for what is to happen.
'use strict';
const fs = require('fs'), path = require('path'), open = require('./browser.js');
const [chromium, folder, address, pid, axe] = process.argv.slice(2), wrong = [];
const equal = (what, wanted, got) => { if (wanted !== got) wrong.push(`${what}: wanted ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`); };
const holds = (what, yes) => { if (!yes) wrong.push(what); };

(async () => {
  const page = await open(chromium, folder);
  const state = () => page.eval('document.getElementById("state").textContent'), now = () => page.eval('hySession.now');
  const value = path => page.eval(`hySession.signals.get("${path}").value`);
  const is = wanted => page.until(`hySession.state === "${wanted}"`);

  // Another page, even one that knows the key, is refused.
  const lines = address.replace('http', 'ws').replace('/?', '/lines?');
  equal('from elsewhere', 'refused', await page.eval(`new Promise(f => { const s = new WebSocket(${JSON.stringify(lines)}); s.onopen = () => f('open'); s.onerror = () => f('refused'); })`));

  await page.size(1280, 900);
  await page.go(address);
  await page.until('document.documentElement.dataset.ready');
  await is('ready');
  equal('the levers, by who moves them', 'bias/heater/leak', await page.eval('["outside", "settings", "malfunctions"].map(id => document.querySelector(`#${id} label[for]`).textContent).join("/")'));
  equal('the signals', 'T/fan', await page.eval('[...hySession.signals.keys()].join("/")'));
  holds('a drawing with what is read', await page.eval('document.querySelectorAll("#drawing g.reading").length') === 2);

  // T' = heater - 2 leak - T/2 + bias, heater = 0: T rests. A lever goes to its end, and the curve follows.
  await page.key('r');
  await is('running');
  await page.until('hySession.signals.get("T").t.length > 3');
  equal('it rests', 0, await value('T'));
  await page.eval('document.querySelector("#settings input[type=range]").focus()');
  await page.key('End');
  await page.until('hySession.levers.get("heater").info.value === 2');
  await page.until('hySession.signals.get("T").value > 2.5');
  await page.until('hySession.group.plots[0].axis[1] > 2.5');
  await page.until('[...document.querySelectorAll("#drawing g.reading text")].some(t => parseFloat(t.textContent) > 2)');
  holds('a lamp is lit', await page.until('document.querySelector(".lamp[data-on=yes]")?.textContent === "fan"'));

  // A malfunction, by a button, with a ramp: it is marked and in the log.
  await page.press('#malfunctions label input');
  await page.key('a', ''); // all of it is chosen by what is typed next
  await page.eval('document.activeElement.select()');
  await page.type('0.5');
  await page.press('#malfunctions .lever button:last-of-type');
  await page.until('document.querySelector("#malfunctions .lever.on") && hySession.levers.get("leak").info.value === 1');
  await page.until('[...document.querySelectorAll("#log li.bad")].some(l => l.textContent.includes("malfunction leak = 1 ramp=0.5"))');
  await page.until('hySession.signals.get("T").value < 2');

  // A number that is typed; one beyond the bounds is refused, and the page says so.
  await page.press('#outside input[type=number]', 0.3);
  await page.eval('document.activeElement.select()');
  await page.type('7');
  await page.key('Enter');
  await page.until('hySession.levers.get("bias").info.value === 7');
  await page.eval('document.querySelector("#outside input[type=number]").select()');
  await page.type('70');
  await page.key('Enter');
  await page.until('document.getElementById("said").textContent.includes("70")');
  await page.until('hySession.levers.get("bias").number.value === "7"');

  // The machine's buttons: a snapshot, on, and back to it.
  await page.press('#freeze');
  await is('frozen');
  await page.press('#name');
  await page.type('here');
  await page.key('Enter');
  await page.until('[...document.querySelectorAll("#places b")].some(b => b.textContent === "here")');
  await page.until('!document.getElementById("step").disabled');
  await page.until('hySession.signals.get("T").t.at(-1) === hySession.now');
  const here = await now(), was = await value('T');
  await page.press('#run');
  await page.until(`hySession.now > ${here} + 0.3`);
  await page.press('#freeze');
  await is('frozen');
  await page.until('hySession.signals.get("T").t.at(-1) === hySession.now');
  holds('it has gone on', await value('T') !== was);
  await page.eval('[...document.querySelectorAll("#places li")].find(l => l.textContent.includes("here")).querySelector("button").click()');
  await page.until(`hySession.now === ${here} && hySession.signals.get("T").value === ${was}`);
  holds('the curve ends there', await page.eval('hySession.signals.get("T").t.every(t => t <= hySession.now)'));
  await page.press('#step');
  await page.until(`hySession.now > ${here}`);
  await page.press('#back');
  await page.until(`hySession.now <= ${here}`);

  // It reads well, at two sizes, light and dark, and without a mouse.
  if (axe) await page.eval(fs.readFileSync(axe, 'utf8') + '; 0');
  await page.eval(fs.readFileSync(path.join(__dirname, 'check.js'), 'utf8') + '; window.checks = { wrong, told, readable, fits, apart, audit }; 0');
  for (const [width, height, scheme] of [[1280, 900, 'light'], [390, 844, 'dark']]) {
    await page.size(width, height);
    await page.scheme(scheme);
    await page.eval('new Promise(f => requestAnimationFrame(() => requestAnimationFrame(f)))');
    await page.eval('(async () => { scrollTo(0, 0); checks.readable(); checks.fits(); checks.apart(); await checks.audit(); })()');
    wrong.push(...(await page.eval('checks.wrong.splice(0)')).map(w => `${width}x${height} ${scheme}: ${w}`));
  }
  console.log((await page.eval('checks.told')).join('\n'));

  // A connection that is lost comes back; if hydevs has ended the page says so and stands still.
  await page.eval('hySession.drop()');
  await page.until('!document.getElementById("lost").hidden');
  await page.until('document.getElementById("lost").hidden');
  equal('as before', 'frozen', await state());
  process.kill(+pid);
  await page.until('!document.getElementById("lost").hidden');
  holds('its buttons are off', await page.eval('["init", "run", "freeze", "step", "back"].every(id => document.getElementById(id).disabled)'));
  wrong.push(...page.wrong);
  await page.close();
  console.log(`the page of a session: ${wrong.length} wrong\n${wrong.join('\n')}`);
  process.exit(wrong.length ? 1 : 0);
})().catch(e => { console.log(`the page of a session: ${e.message}`); process.exit(1); });
