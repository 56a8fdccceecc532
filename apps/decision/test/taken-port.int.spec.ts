import { type AddressInfo, createServer } from 'node:net';
import { StartError } from '@sluice/platform';
import { startStage } from './running-decision.js';

it('a port that is taken is said in one line, with the setting that chooses another', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  for (const [variable, config] of [['SLUICE_DECISION_PORT', { port }], ['SLUICE_DECISION_GRPC_PORT', { grpcPort: port }]] as const) {
    const starting = startStage({ rules: [], config });
    await expect(starting).rejects.toBeInstanceOf(StartError);
    await expect(starting).rejects.toThrow(new RegExp(`${port}.*${variable}$`));
  }
  await new Promise((resolve) => other.close(resolve));
});
