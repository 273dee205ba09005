// What charts tell under the pointer, and long tables.
(() => {
  const main = document.getElementById('main');
  const make = (name, members = {}, ...children) => {
    const element = Object.assign(document.createElement(name), members);
    element.append(...children);
    return element;
  };

  // --- charts: what the table beside them says of the column under the pointer

  for (const plot of main.querySelectorAll('.plot')) {
    const table = plot.closest('.part').querySelector('table.data');
    if (table === null) continue;
    const titles = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
    const rows = [...table.tBodies[0].rows];
    const cursor = make('div', { className: 'cursor', hidden: true });
    const tip = make('div', { className: 'tip', hidden: true });
    plot.append(cursor, tip);
    const rowAt = ({ clientX }) => {
      const { left, width } = plot.getBoundingClientRect();
      return Math.min(rows.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * rows.length)));
    };
    plot.addEventListener('pointermove', (event) => {
      const at = rowAt(event);
      const { width } = plot.getBoundingClientRect();
      const lines = titles.map((title, cell) =>
        make('tr', {}, make('th', {}, title), make('td', {}, rows[at].cells[cell].textContent)),
      );
      tip.replaceChildren(make('table', {}, ...lines));
      tip.hidden = cursor.hidden = false;
      const x = ((at + 0.5) / rows.length) * width;
      cursor.style.left = `${x}px`;
      tip.style.left = x > width / 2 ? '' : `${x + 12}px`;
      tip.style.right = x > width / 2 ? `${width - x + 12}px` : '';
    });
    plot.addEventListener('pointerleave', () => {
      tip.hidden = cursor.hidden = true;
    });
    plot.addEventListener('click', (event) => {
      const link = rows[rowAt(event)].querySelector('a');
      if (link) link.click();
    });
  }

  // --- tables: the first rows are enough for most

  const MOST_ROWS = 12;

  for (const table of main.querySelectorAll('table.rows')) {
    const rows = [...table.tBodies[0].rows].slice(MOST_ROWS);
    if (rows.length < 4) continue;
    const all = `all ${table.tBodies[0].rows.length} rows`;
    const button = make('button', { type: 'button', className: 'more rows-more', textContent: all });
    const show = (isShown) => {
      for (const row of rows) row.hidden = !isShown;
      button.textContent = isShown ? `the first ${MOST_ROWS} rows` : all;
      button.setAttribute('aria-expanded', String(isShown));
    };
    button.addEventListener('click', () => show(button.getAttribute('aria-expanded') !== 'true'));
    show(false);
    table.after(button);
  }
})();
