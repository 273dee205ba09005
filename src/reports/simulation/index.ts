/** The reports of `simulate`, each in all formats. A new report is a file and a line here. */
export * from '../../measure/simulation/facts.js';
export { requestsReport } from './requests.js';
export { retriesReport } from './retries.js';
export { runsReport } from './runs.js';
export { sweepReport } from './sweep.js';
export { transcriptsReport } from './transcripts.js';
