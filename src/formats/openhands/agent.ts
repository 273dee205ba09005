import { defineAgent } from '../agent.js';

export default defineAgent({ id: 'openhands', title: 'OpenHands', formats: ['openhands'] });
