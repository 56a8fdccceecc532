import { type AddressInfo, createServer } from 'node:net';
import { StartError } from '@sluice/platform';
import { startStage } from '../test/running-gateway.js';

it.each(['port', 'opsPort'])('%s that is taken is said in one line, with the setting that chooses another', async (setting) => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const starting = startStage({ config: { [setting]: port } });
  await expect(starting).rejects.toBeInstanceOf(StartError);
  await expect(starting).rejects.toThrow(`port ${port} on 127.0.0.1 is taken: stop what listens there (is Sluice running already?), or choose another by SLUICE_GATEWAY_${setting === 'port' ? 'PORT' : 'OPS_PORT'}`);
  await new Promise((resolve) => other.close(resolve));
});
