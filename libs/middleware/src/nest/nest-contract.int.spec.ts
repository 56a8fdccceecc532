import { nestHarness } from '../../test/harness/nest.js';
import { PLATFORMS } from '../../test/nest-app.js';
import { skinContract } from '../../test/skin-contract.js';

for (const platform of PLATFORMS) skinContract(nestHarness(platform));
