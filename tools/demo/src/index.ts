export { NoStoreError } from './no-store-error.js';
export { runDemo } from './run-demo.js';
