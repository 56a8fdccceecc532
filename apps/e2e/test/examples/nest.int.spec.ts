import { start } from '@sluice-example/nest';
import { exampleStory } from './example-app.js';

exampleStory('nest', start);
