// @ts-check
import ferryLog from './ferry-log.js';
import ferryToken from './ferry-token.js';
import questionBlank from './question-blank.js';

/** @type {import('ctx-trim/plugin').Plugin} */
export default { formats: [ferryLog], rules: [questionBlank], secrets: [ferryToken] };
