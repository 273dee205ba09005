// `npm run bench:report [files…]`: the size of the page of `report`, the time to write it, and how Chromium takes it.
// Without files: a made-up session of 10,000 messages.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { chromium } from 'playwright-core';

const executablePath = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
);
if (executablePath === undefined) throw new Error('no Chromium found: set CHROMIUM to its path');

const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-bench-'));
const files = process.argv.slice(2);
if (files.length === 0) files.push(madeUp(10_000));

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  for (const file of files) console.log(await measured(file));
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

async function measured(file) {
  const report = join(folder, `${basename(file)}.html`);
  const start = performance.now();
  execFileSync('node', ['bin/ctx-trim.js', 'report', file, '-o', report]);
  const seconds = (performance.now() - start) / 1000;
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const opened = performance.now();
  await page.goto(`file://${report}`);
  await page.keyboard.press('?'); // the first thing that a reader can do
  await page.waitForSelector('dialog[open]');
  const usable = performance.now() - opened;
  await page.keyboard.press('Escape');
  await page.waitForTimeout(3000); // the long texts are unpacked
  const frames = await page.evaluate(scrolled);
  const plain = await framesOf(page, await page.evaluate(withoutAll));
  const empty = await framesOf(page, '<div id="transcript" style="height: 9000000px"></div>');
  await page.close();
  const megabytes = (path) => `${(statSync(path).size / 1e6).toFixed(1)} MB`;
  return {
    file: `${basename(file)}, ${megabytes(file)}`,
    page: megabytes(report),
    written: `${seconds.toFixed(2)} s`,
    usable: `${Math.round(usable)} ms`,
    messages: frames.messages,
    frames: shown(frames),
    'of its texts without style and script': shown(plain),
    'of an empty page': shown(empty),
  };
}

function shown({ median, p95 }) {
  return `median ${median} ms, 95th percentile ${p95} ms`;
}

/** What this machine can show at all. */
async function framesOf(page, html) {
  await page.setContent(html);
  await page.waitForTimeout(1000);
  return page.evaluate(scrolled);
}

/** Runs in the page: the texts of its messages as paragraphs. */
function withoutAll() {
  const paragraphs = [...document.querySelectorAll('.m')].map(({ textContent }) => {
    const paragraph = document.createElement('p');
    paragraph.textContent = textContent;
    return paragraph.outerHTML;
  });
  return `<div id="transcript">${paragraphs.join('')}</div>`;
}

/** Runs in the page: scrolls through the transcript, and takes the time of each frame. */
async function scrolled() {
  const times = [];
  document.getElementById('transcript').scrollIntoView();
  let last = performance.now();
  for (let frame = 0; frame < 400; frame++) {
    window.scrollBy(0, 300);
    await new Promise((resolve) => requestAnimationFrame(resolve));
    times.push(performance.now() - last);
    last = performance.now();
  }
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor(times.length * share)].toFixed(1);
  return { messages: document.querySelectorAll('.m').length, median: at(0.5), p95: at(0.95) };
}

function madeUp(count) {
  const words = 'the agent reads a file and runs tests while the build waits for input of another tool'.split(' ');
  let seed = 7;
  const random = (below) => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return seed % below;
  };
  const text = (length) => Array.from({ length }, () => words[random(words.length)]).join(' ');
  const messages = [{ role: 'system', content: text(200) }];
  for (let call = 0; messages.length < count; call++) {
    if (call % 20 === 0) messages.push({ role: 'user', content: text(30) });
    const function_ = { name: ['read', 'bash', 'grep'][call % 3], arguments: JSON.stringify({ path: text(4) }) };
    const calls = [{ id: `c${call}`, type: 'function', function: function_ }];
    messages.push({ role: 'assistant', content: text(25), tool_calls: calls });
    messages.push({ role: 'tool', tool_call_id: `c${call}`, content: text(60 + random(200)) });
  }
  const path = join(folder, `${count}-messages.json`);
  writeFileSync(path, JSON.stringify({ model: 'gpt-5', messages }));
  return path;
}
