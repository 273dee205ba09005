// Lists that are written as texts over several lines (`commaList` in src/lists.ts) stand on one line in the program.
const LIST = /\bcomma(?:List|Set)\(`([^`$\\]*)`/g;

export const listsOnOneLine = {
  name: 'lists-on-one-line',
  transform: {
    filter: { id: /\bsrc\b.*\.ts$/, code: /\bcomma(?:List|Set)\(`/ },
    handler(code, _, { magicString }) {
      for (const { index, 0: all, 1: list } of code.matchAll(LIST)) {
        const start = index + all.length - 1 - list.length;
        magicString.update(start, start + list.length, list.trim().replace(/,\s+/g, ',').replace(/\s+/g, ' '));
      }
      return { code: magicString };
    },
  },
};
