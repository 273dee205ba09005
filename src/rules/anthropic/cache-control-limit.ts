import { commaList } from '../../lists.js';
import { errorRule, type Problem } from '../rule.js';
import { automaticMark, type CacheMark, cacheMarks, toolMarks } from '../shared/cache-marks.js';
import { rewireProblems } from '../shared/edits.js';
import { changeOf, withChanges } from '../shared/request.js';

/** https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching */
const MOST = 4;

export default errorRule({
  id: 'anthropic/cache-control-limit',
  summary: 'more than four cache breakpoints',
  providers: ['anthropic'],
  error: 'A maximum of 4 blocks with cache_control may be provided. Found 5.',
  cause: 'Each turn sets a breakpoint and none is removed, or a proxy adds its own.',
  reported: commaList(`
    Wei-Shaw/sub2api#176, VicBilibily/GCMP#83, avante-corp/avante.nvim#425, tghamm/Anthropic.SDK#50,
    coder/mux#3112, griffinmartin/opencode-claude-auth#121, ObservedObserver/async-code#34, bug-ops/zeph#1568
  `),
  *check(context) {
    const tools = toolMarks(context);
    const marks = [...cacheMarks(context)];
    const total = tools.length + marks.length + (automaticMark(context) === undefined ? 0 : 1);
    const isSystem = ({ message }: CacheMark) => context.transcript.messages[message]!.role === 'system';
    const text = `one of ${total} blocks with cache_control; at most ${MOST} are allowed`;
    const problemOf = ({ message, part, mark }: CacheMark): Problem => ({ message, part, node: mark, text });
    const problems: readonly Problem[] = [
      ...marks.filter((mark) => !isSystem(mark)).map(problemOf),
      ...tools.map(({ tool, mark }) => ({
        message: undefined,
        node: mark,
        text,
        changes: changeOf(tool, { cache_control: undefined }),
      })),
      ...marks.filter(isSystem).map(problemOf),
    ];
    yield* problems.slice(0, Math.max(0, total - MOST));
  },
  fix: {
    safety: 'safe',
    summary: 'Keep the breakpoints of the tools and the system prompt, and the last ones of the messages.',
    reaches: ({ transcript: { body } }, { message }) => message !== undefined || body !== undefined,
    apply(context, problems) {
      const transcript = withChanges(context, problems);
      return rewireProblems({ ...context, transcript }, problems, () => undefined);
    },
  },
});
