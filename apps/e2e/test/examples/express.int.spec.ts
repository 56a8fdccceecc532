import { start } from '@sluice-example/express';
import { exampleStory } from './example-app.js';

exampleStory('express', start);
