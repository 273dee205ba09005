import { Agent, type Model, Runner } from '@openai/agents-core';
import { trim } from 'ctx-trim/openai-agents';

export async function ask(model: Model) {
  const trimmed = trim(['patch', { transform: 'filter', maxToolCalls: 3 }], { every: 20 });
  const agent = new Agent({ name: 'agent', model: trimmed.model(model) });
  const runner = new Runner({ callModelInputFilter: trimmed.callModelInputFilter });
  return runner.run(agent, 'Hello');
}
