/** What a converted session begins with, the same in each test. */
import type { Beginning } from '../../src/conversion/session.js';

export const beginning: Beginning = {
  seed: 'a test',
  otherwise: { time: Date.UTC(2026, 0, 2), project: '/work' },
};
