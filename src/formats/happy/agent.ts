import { defineAgent } from '../agent.js';

export default defineAgent({ id: 'happy', title: 'Happy', formats: ['happy'] });
