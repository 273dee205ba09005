/** A simulation for programs. */
import { printed } from '../../documents/print.js';
import { simulateDocument } from '../../documents/simulate.js';
import type { SimulationFacts } from '../../measure/simulation/facts.js';
import type { SafeText } from '../../safe/text.js';
import { adviceOf } from './advice.js';

export function simulationJson(facts: SimulationFacts): SafeText {
  return printed(simulateDocument(facts, adviceOf(facts)));
}
