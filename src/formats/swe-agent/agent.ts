import { defineAgent } from '../agent.js';

export default defineAgent({ id: 'swe-agent', title: 'SWE-agent', formats: ['swe-agent'] });
