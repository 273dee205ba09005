/** Findings as JSON: stable and versioned. */
import { checkDocument } from '../../documents/findings.js';
import { printed } from '../../documents/print.js';
import { defineReporter } from './reporter.js';

export const reporter = defineReporter({ id: 'json', render: (report) => printed(checkDocument(report)) });
