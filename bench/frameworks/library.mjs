// One framework through all scenarios: node --expose-gc library.mjs <name> <histories> <turns in memory> [scenario].
// It runs in a folder where the framework is installed, with ours in ctx-trim/. Prints a line a scenario.
import * as library from './ctx-trim/dist/lib/index.js';
import { scenariosFor } from './scenarios.mjs';

const AI_SDKS = { 'ai-sdk-5': ['ai-5', 'v2'], 'ai-sdk-6': ['ai-6', 'v3'], 'ai-sdk-7': ['ai-7', 'v4'] };

async function frameworkFor(name) {
  const [base, hook] = name.split('/');
  if (base in AI_SDKS) {
    const [module, specification] = AI_SDKS[base];
    const { aiSdk } = await import('./libraries/ai-sdk.mjs');
    return { adapter: 'ai-sdk', ...aiSdk(await import(module), specification, hook) };
  }
  if (base === 'langchain') return { adapter: 'langchain', ...(await import('./libraries/langchain.mjs')).langchain };
  if (base === 'openai-agents')
    return { adapter: 'openai-agents', ...(await import('./libraries/openai-agents.mjs')).openaiAgents(hook) };
  if (base === 'mastra') return { adapter: 'mastra', ...(await import('./libraries/mastra.mjs')).mastra };
  const adapter = base === 'anthropic' ? 'anthropic' : 'openai';
  return { adapter, ...(await import('./libraries/requests.mjs')).requests(hook ?? base) };
}

const [name, histories, turns, only] = process.argv.slice(2);
const framework = await frameworkFor(name);
const { trim } = await import(`./ctx-trim/dist/lib/adapters/${framework.adapter}.js`);
const { random, memory, ...others } = scenariosFor(framework, { ...library, trim });
const scenarios = {
  ...others,
  'random histories': () => random(Number(histories)),
  memory: () => memory(Number(turns)),
};
for (const [scenario, scene] of Object.entries(scenarios)) {
  if (only !== undefined && scenario !== only) continue;
  const found = await scene();
  if (found !== undefined) console.log(`${name}: ${scenario}: ${JSON.stringify(found)}`);
}
