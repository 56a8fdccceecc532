import { startBrowser } from '@sluice/testkit';
import { type ControlPlane, startControlPlane, TOKEN } from './control-plane.js';

type Browser = Awaited<ReturnType<typeof startBrowser>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

let plane: ControlPlane;
let browser: Browser;
let page: Page;
const elsewhere: string[] = [];
const mistakes: string[] = [];

beforeAll(async () => {
  plane = await startControlPlane();
  await plane.put('/v1/plans/free', { name: 'Free' });
  browser = await startBrowser();
  page = await browser.newPage();
  page.on('request', (request) => {
    if (!request.url().startsWith(plane.url) && !request.url().startsWith('data:')) elsewhere.push(request.url());
  });
  page.on('pageerror', (error) => mistakes.push(error.message));
  await page.goto(`${plane.url}/docs`);
  await page.waitForSelector('.opblock-tag');
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await plane?.close();
});

/** Opens an operation, fills in its parameters by name, and executes it; the status, header fields and body that the page then shows. */
async function tryOut(operationId: string, parameters: Readonly<Record<string, string>>, body?: string): Promise<{ readonly status: string; readonly headers: string; readonly body: string }> {
  const block = page.locator(`.opblock[id$="-${operationId}"]`);
  if (!(await block.evaluate((element) => element.classList.contains('is-open')))) await block.locator('.opblock-summary-control').click();
  const tryButton = block.locator('.try-out__btn:not(.cancel):not(.reset)');
  if ((await tryButton.count()) > 0) await tryButton.click();
  for (const [name, value] of Object.entries(parameters)) {
    const row = block.locator(`tr[data-param-name="${name}"]`);
    // One of a few values is chosen, others are written.
    if ((await row.locator('select').count()) > 0) await row.locator('select').selectOption(value);
    else await row.locator('input').fill(value);
  }
  if (body !== undefined) await block.locator('textarea.body-param__text').fill(body);
  const answered = page.waitForResponse((response) => response.url().startsWith(`${plane.url}/v1/`));
  await block.locator('button.execute').click();
  await answered;
  const live = block.locator('.live-responses-table .response').first();
  await live.waitFor();
  const status = await live.locator('.response-col_status').innerText();
  const [shownBody, headers] = [live.locator('.highlight-code').first(), live.locator('.headerline, .response-col_description pre.microlight').last()];
  return { status: status.trim(), headers: await live.locator('.response-col_description').innerText(), body: (await shownBody.count()) > 0 ? await shownBody.innerText() : await headers.innerText() };
}

describe('R63 Swagger UI end to end in a browser', () => {
  it('without a token every try is a 401 that says what to do', async () => {
    const answer = await tryOut('listRules', {});
    expect(answer.status).toContain('401');
    expect(answer.body).toContain('urn:sluice:problem:unauthorized');
  }, 180_000);

  it('takes a token once, and keeps it when the page is loaded again', async () => {
    await page.locator('.auth-wrapper .authorize').click();
    const field = page.locator('.auth-container', { hasText: 'bearer' }).locator('input').first();
    await field.fill(TOKEN);
    await page.locator('.auth-btn-wrapper .authorize').first().click();
    await page.locator('.auth-btn-wrapper .btn-done').first().click();
    await page.reload();
    await page.waitForSelector('.opblock-tag');
    expect((await tryOut('listRules', {})).status).toContain('200');
  }, 180_000);

  it('creates a rule, shows its tag, changes it by If-Match, and is refused with an old one', async () => {
    const rule = (limit: number): string => JSON.stringify({ plan: 'free', endpoint: '*', limit, window_seconds: 1 });
    const created = await tryOut('putRule', { rule_id: 'by-hand', 'If-None-Match': '*' }, rule(5));
    expect([created.status, created.headers.includes('etag: "v1"')]).toEqual([expect.stringContaining('201'), true]);
    const shown = await tryOut('getRule', { rule_id: 'by-hand' });
    expect([shown.status, shown.headers.includes('etag: "v1"'), shown.body.includes('"limit": 5')]).toEqual([expect.stringContaining('200'), true, true]);
    await page.reload();
    await page.waitForSelector('.opblock-tag');
    const changed = await tryOut('putRule', { rule_id: 'by-hand', 'If-Match': '"v1"' }, rule(20));
    expect([changed.status, changed.headers.includes('etag: "v2"')]).toEqual([expect.stringContaining('200'), true]);
    const late = await tryOut('putRule', { rule_id: 'by-hand', 'If-Match': '"v1"' }, rule(30));
    expect([late.status, late.body.includes('version-mismatch')]).toEqual([expect.stringContaining('412'), true]);
    expect((await plane.call('/v1/rules/by-hand')).body).toMatchObject({ limit: 20, version: 2 });
  }, 180_000);

  it('an action after a colon can be tried too', async () => {
    const explained = await tryOut('explain', {}, JSON.stringify({ attributes: { plan: 'free', key_id: 'k', endpoint: 'GET /x' } }));
    expect([explained.status, explained.body.includes('by-hand')]).toEqual([expect.stringContaining('200'), true]);
  }, 180_000);

  it('needs nothing from elsewhere, and no script fails', () => {
    expect([elsewhere, mistakes]).toEqual([[], []]);
  });
});
