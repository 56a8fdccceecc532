import { get } from 'node:http';
import { startStage } from '../../test/running-gateway.js';

function rawNames(url: string): Promise<{ status: number; names: string[] }> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false, headers: { 'X-Api-Key': 'demo-free' } }, (response) => {
      const names = response.rawHeaders.filter((_, at) => at % 2 === 0 && /ratelimit/i.test(response.rawHeaders[at] ?? ''));
      response.resume().once('end', () => resolve({ status: response.statusCode ?? 0, names: names.sort() }));
    }).once('error', reject);
  });
}

it('R70 spells the fields in one way on what passes and on what is refused', async () => {
  const stage = await startStage();
  const seen = [];
  for (let at = 0; at < 6; at += 1) seen.push(await rawNames(`${stage.gateway.url}/hello`));
  const fields = ['ratelimit', 'ratelimit-policy', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
  expect([seen[0], seen[5]]).toEqual([{ status: 200, names: fields }, { status: 429, names: fields }]);
  await stage.close();
});
