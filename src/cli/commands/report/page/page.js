// The script of a report: keys, search, filters, folded texts, and what charts tell under the pointer.
// Text is only ever set as text. Everything else is in the page without it.
(() => {
  const main = document.getElementById('main');
  const messages = [...main.querySelectorAll('.m')];
  const make = (name, members = {}, ...children) => {
    const element = Object.assign(document.createElement(name), members);
    element.append(...children);
    return element;
  };

  // --- folded texts: kept compressed, unpacked when the page is idle or when they are needed

  let unpacked;
  const texts = () => {
    unpacked ??= unpack(document.getElementById('texts').textContent);
    return unpacked;
  };

  async function unpack(base64) {
    if (base64 === '') return [];
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return JSON.parse(await new Response(stream).text());
  }

  /** Adds the hidden part of a folded text, where the browser's own search finds it, too. */
  function fill(button, all) {
    const fold = button.parentElement;
    const known = fold.querySelector('.rest');
    if (known !== null) return known;
    const rest = make('pre', { className: 'rest', textContent: all[Number(button.dataset.text)] });
    rest.setAttribute('hidden', 'until-found');
    rest.addEventListener('beforematch', () => open(button));
    button.after(rest);
    button.setAttribute('aria-expanded', 'false');
    return rest;
  }

  async function fillAll() {
    const all = await texts();
    for (const button of main.querySelectorAll('.more')) fill(button, all);
  }

  function open(button) {
    const rest = button.parentElement.querySelector('.rest');
    rest.removeAttribute('hidden');
    button.setAttribute('aria-expanded', 'true');
    button.dataset.label ??= button.textContent;
    button.textContent = 'fold';
  }

  const isOpen = (button) => button.getAttribute('aria-expanded') === 'true';

  async function toggle(button) {
    const rest = fill(button, await texts());
    if (!isOpen(button)) return open(button);
    rest.setAttribute('hidden', 'until-found');
    button.setAttribute('aria-expanded', 'false');
    button.textContent = button.dataset.label;
  }

  const idle = window.requestIdleCallback ?? ((run) => setTimeout(() => run({ timeRemaining: () => 8 }), 50));
  async function fillWhenIdle() {
    const all = await texts();
    const buttons = [...main.querySelectorAll('.more')];
    const some = (deadline) => {
      while (buttons.length > 0 && deadline.timeRemaining() > 2) fill(buttons.shift(), all);
      if (buttons.length > 0) idle(some);
    };
    idle(some);
  }

  main.addEventListener('click', ({ target }) => {
    const button = target.closest?.('.more');
    if (button) toggle(button);
  });

  // --- where the reader is

  const isShown = (message) => message.getClientRects().length > 0;
  let here;

  function go(message, { focus = true } = {}) {
    if (message === undefined) return;
    for (let at = message.parentElement; at !== null; at = at.parentElement)
      if (at.tagName === 'DETAILS') at.open = true;
    here?.classList.remove('here');
    here = message;
    here.classList.add('here');
    message.scrollIntoView({ block: 'start' });
    if (focus && message.id !== '') {
      history.replaceState(null, '', `#${message.id}`);
      message.tabIndex = -1;
      message.focus({ preventScroll: true });
    }
  }

  /** The first message that ends below the top of the window. */
  function indexInView() {
    if (here !== undefined && isShown(here)) {
      const { top, bottom } = here.getBoundingClientRect();
      if (bottom > 0 && top < innerHeight) return messages.indexOf(here);
    }
    let [low, high] = [0, messages.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (messages[middle].getBoundingClientRect().bottom > 60) high = middle;
      else low = middle + 1;
    }
    return low - 1;
  }

  function step(by) {
    for (let at = indexInView() + by; at >= 0 && at < messages.length; at += by)
      if (isShown(messages[at])) return go(messages[at]);
  }

  function openTarget() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target === null) return;
    if (target.tagName === 'DETAILS') target.open = true;
    if (target.classList.contains('m')) go(target, { focus: false });
  }
  addEventListener('hashchange', openTarget);

  // --- search

  const box = make('input', { type: 'search', placeholder: 'search', autocomplete: 'off', spellcheck: false });
  box.setAttribute('aria-label', 'Search the transcript');
  const count = make('output');
  count.setAttribute('aria-live', 'polite');
  let [index, found, current] = [undefined, [], -1];

  async function search() {
    const wanted = box.value.toLowerCase();
    CSS.highlights?.delete('search');
    [found, current] = [[], -1];
    count.textContent = '';
    if (wanted === '') return;
    if (index === undefined) {
      await fillAll();
      index = messages.map((message) => message.textContent.toLowerCase());
    }
    found = messages.filter((message, at) => index[at].includes(wanted) && isShown(message));
    if (found.length === 0) count.textContent = 'none';
    else turn(1);
  }

  function turn(by) {
    if (found.length === 0) return;
    current = (current + by + found.length) % found.length;
    const message = found[current];
    count.textContent = `${current + 1} of ${found.length}`;
    mark(message, box.value.toLowerCase());
    go(message, { focus: false });
  }

  /** Highlights the text, and unfolds what holds it. */
  function mark(message, wanted) {
    const ranges = [];
    const walker = document.createTreeWalker(message, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.data.toLowerCase();
      const next = (from) => text.indexOf(wanted, from);
      for (let at = next(0); at >= 0 && ranges.length < 1000; at = next(at + wanted.length)) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, Math.min(at + wanted.length, node.length));
        ranges.push(range);
        const rest = node.parentElement.closest('.rest[hidden]');
        if (rest) open(rest.parentElement.querySelector('.more'));
        const details = node.parentElement.closest('details');
        if (details) details.open = true;
      }
    }
    if (globalThis.Highlight) CSS.highlights.set('search', new Highlight(...ranges));
  }

  let timer;
  box.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(search, 150);
  });
  box.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') turn(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') box.blur();
  });

  // --- filters, theme, help

  const FILTERS = [
    ['', 'all messages'],
    ['no-assistant no-tool no-system', 'only user'],
    ['no-user no-tool no-system', 'only assistant'],
    ['no-user no-assistant no-system', 'only tool results'],
    ['only-found', 'only with problems'],
    ['only-changed', 'only changed by a policy'],
  ];
  const filter = make('select', {}, ...FILTERS.map(([value, name]) => make('option', { value, textContent: name })));
  filter.setAttribute('aria-label', 'Which messages are shown');
  filter.addEventListener('change', () => {
    main.className = filter.value;
    search();
  });

  const PREFERS_DARK = matchMedia('(prefers-color-scheme:dark)');
  const theme = make('button', { type: 'button', textContent: 'theme' });
  theme.addEventListener('click', () => {
    const { dataset } = document.documentElement;
    const isDark = (dataset.theme ?? (PREFERS_DARK.matches ? 'dark' : 'light')) === 'dark';
    dataset.theme = isDark ? 'light' : 'dark';
  });

  const KEYS = [
    ['j / k', 'next / previous message', { j: () => step(1), k: () => step(-1) }],
    ['/', 'search', { '/': () => box.focus() }],
    ['n / N', 'next / previous match', { n: () => turn(1), N: () => turn(-1) }],
    ['e', 'unfold or fold the message', { e: () => toggleHere() }],
    ['m', 'show or hide the marks of markdown', { m: () => document.body.classList.toggle('marks') }],
    ['t', 'light or dark', { t: () => theme.click() }],
    ['?', 'these keys', { '?': () => help.showModal() }],
  ];
  const actions = Object.assign({}, ...KEYS.map(([, , keys]) => keys));
  const help = make(
    'dialog',
    {},
    make('h2', { textContent: 'Keys' }),
    make('dl', {}, ...KEYS.flatMap(([key, text]) => [make('dt', {}, key), make('dd', {}, text)])),
    make('form', { method: 'dialog' }, make('button', { textContent: 'close' })),
  );
  help.setAttribute('aria-label', 'Keys');

  function toggleHere() {
    const message = messages[Math.max(0, indexInView())];
    const details = [...message.querySelectorAll('details')];
    const buttons = [...message.querySelectorAll('.more')];
    const anyOpen = details.some((one) => one.open) || buttons.some(isOpen);
    for (const one of details) one.open = !anyOpen;
    for (const button of buttons) if (isOpen(button) === anyOpen) toggle(button);
  }

  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    if (event.target.closest?.('input, select, textarea')) return;
    const act = actions[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });

  const keys = make('button', { type: 'button' }, '? keys');
  keys.addEventListener('click', () => help.showModal());
  const bar = make('div', { className: 'tools-bar' });
  if (messages.length > 0) bar.append(box, count, filter);
  bar.append(theme, keys);
  document.querySelector('nav').append(bar);
  document.body.append(help);

  openTarget();
  idle(fillWhenIdle);
})();
