/** The contract of anchors: what the pattern of a rule matches begins with one of them. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anchorsOf } from '../../src/secrets/anchors.js';
import { secretRules } from '../../src/secrets/rules/index.js';
import { runs } from '../shared/random-runs.js';

const named = secretRules.map((rule) => [rule.id, rule] as const);

it.each(named)('%s has anchors of three characters at least, in ASCII', (_, { anchors }) => {
  expect(anchors.filter((anchor) => !/^[ -~]{3,}$/.test(anchor))).toEqual([]);
  expect(new Set(anchors).size).toBe(anchors.length);
});

/** Their anchors stand for what people write: `bearer`, not `bEARER`; `://` is looked for as addresses spell it. */
const NARROWER = ['bearer-token', 'registry-credentials', 'password-in-url', 'token-in-url', 'private-key'];
const LOOKS_AHEAD = /\(\?[!=](?:[^()]|\([^()]*\))*\)/g;
/** Nothing is drawn for letters in either case, nor for what a pattern looks back at. */
const drawn = named.filter(
  ([id, { pattern }]) => !NARROWER.includes(id) && !pattern.flags.includes('i') && !/\(\?<[!=]/.test(pattern.source),
);

it.each(drawn)('%s matches something with each anchor, and nothing without', (_, { pattern, anchors, lead = 0 }) => {
  const texts = fc.stringMatching(new RegExp(`^(?:${pattern.source.replace(LOOKS_AHEAD, '')})`));
  const met = new Set<string>();
  fc.assert(
    fc.property(texts, (text) => {
      pattern.lastIndex = 0;
      const match = pattern.exec(text)?.[0];
      if (match === undefined) return;
      const begins = anchors.filter((anchor) => match.slice(0, lead + anchor.length).includes(anchor));
      expect(begins, match).not.toEqual([]);
      for (const anchor of begins) met.add(anchor);
    }),
    { ...runs(), numRuns: 150 * anchors.length },
  );
  expect([...met].sort()).toEqual([...anchors].sort());
});

it('nearly all patterns are drawn', () => {
  expect(drawn.length).toBeGreaterThan(140);
});

it('tables of the same rules are made once for all searches', () => {
  const [{ anchors, ...rest }] = secretRules as unknown as [(typeof secretRules)[number]];
  let looks = 0;
  const rule = {
    ...rest,
    get anchors() {
      looks++;
      return anchors;
    },
  };
  for (let searches = 0; searches < 3; searches++)
    expect(anchorsOf([rule]).rulesAt(Buffer.from(anchors[0]!), 0)).toEqual([rule]);
  expect(looks).toBe(1);
});
