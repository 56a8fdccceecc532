import { fileURLToPath } from 'node:url';
import { writeDocument } from '@sluice/platform';
import { DECISION_DOCUMENT } from './decision-document.js';

await writeDocument(fileURLToPath(new URL('../../openapi.json', import.meta.url)), DECISION_DOCUMENT, '@sluice-app/decision');
