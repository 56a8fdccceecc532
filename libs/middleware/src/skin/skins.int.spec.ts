import { expressHarness } from '../../test/harness/express.js';
import { fastifyHarness } from '../../test/harness/fastify.js';
import { skinContract } from '../../test/skin-contract.js';

for (const harness of [expressHarness, fastifyHarness]) skinContract(harness);
