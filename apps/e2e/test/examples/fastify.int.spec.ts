import { start } from '@sluice-example/fastify';
import { exampleStory } from './example-app.js';

exampleStory('fastify', start);
