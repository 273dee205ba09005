import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { CLEAR_STRAYS, strayResults } from '../shared/results.js';

export default errorRule({
  id: 'bedrock/tool-result-excess',
  summary: 'more results than calls',
  providers: ['bedrock'],
  error: 'The number of toolResult blocks at messages.2.content exceeds the number of toolUse blocks of previous turn.',
  cause: 'The turn with the toolUse was pruned or never stored, or results of parallel calls were mixed up.',
  reported: commaList(`
    strands-agents/harness-sdk#1435, pydantic/pydantic-ai#2327, Just-Curieous/Curie#16,
    langgenius/dify-official-plugins#765, evalstate/fast-agent#624
  `),
  check: strayResults,
  fix: CLEAR_STRAYS,
});
