import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { TestBrowser } from '../support/browser.ts';
import { DaemonPlace } from '../support/daemon-place.ts';
import { commandList, record, signalWait } from '../support/drive.ts';

const token = 'a token of some length';

describe('the dashboard in a browser', () => {
  let place: DaemonPlace;
  let browser: TestBrowser;
  before(async function () {
    this.timeout(120_000);
    place = await DaemonPlace.open({ queueUrl: directory => `embedded:${directory}/queue` });
    browser = await TestBrowser.launch(place.daemon.url);
  });
  after(async () => {
    await browser.close();
    await place.close();
  });

  const count = (page: Page, state: string) => page.locator(`[data-count=${state}]`);

  it('shows what happens while it is looked at, without being loaded again', async () => {
    const page = await browser.page();
    await page.goto('/');
    await page.getByText('Ready', { exact: true }).waitFor();
    await page.evaluate('window.wasLoadedOnce = true');
    const before = Number(await count(page, 'completed').textContent());
    const runId = await place.completed('live', [record('a'), signalWait]);
    await page.locator('[data-count=completed]', { hasText: String(before + 1) }).waitFor();
    await page.getByRole('link', { name: runId }).waitFor();
    await page.getByText(/^last: p50 /).waitFor();
    await page.getByText('As a table').first().click();
    await page.getByRole('row', { name: /^\d\d:\d\d:\d\d 1$/ }).waitFor();
    assert.equal(await page.evaluate('window.wasLoadedOnce'), true);
    assert.equal(await page.locator('#rate canvas').count(), 1);
  });

  it('follows the light and the dark scheme', async () => {
    const page = await browser.page({ colorScheme: 'light' });
    await page.goto('/');
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    assert.equal(await ground(), 'rgb(246, 247, 249)');
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.equal(await ground(), 'rgb(15, 20, 27)');
  });

  it('finds runs, and leads to one', async () => {
    const payment = await place.completed('payment', commandList('retries-heartbeats-and-a-failure'));
    await place.completed('other', [signalWait]);
    const page = await browser.page();
    await page.goto('/');
    await page.getByRole('searchbox', { name: 'Search runs' }).fill('PAYM');
    await page.getByLabel('Status', { exact: true }).selectOption('failed');
    await page.getByRole('button', { name: 'Search' }).click();
    const links = page.locator('#runs').getByRole('link');
    assert.deepEqual(await links.allInnerTexts(), [payment]);
    await links.first().click();
    await page.getByRole('heading', { level: 1, name: 'payment failed' }).waitFor();
  });

  it('shows the names of runs as they are, whatever they are', async () => {
    const name = '<img src=x onerror=alert(1)>&amp;"\'';
    await place.completed(name, [signalWait]);
    const page = await browser.page();
    await page.goto(`/?search=${encodeURIComponent(name)}`);
    await page.getByRole('cell', { name, exact: true }).waitFor();
    assert.equal(await page.getByRole('searchbox').inputValue(), name);
  });

  it('says what is wrong in words', async () => {
    const page = await browser.page();
    await page.goto('/runs/no-such-run');
    await page.getByRole('alert').getByText('there is no run no-such-run').waitFor();
    await page.goto('/?limit=many');
    await page.getByRole('alert').getByText('limit: expected a whole number').waitFor();
    // Chromium itself notes pages that are not found.
    browser.complaints();
  });

  it('shows refusals and changes nothing without a token', async () => {
    const { envelope } = await place.fresh('bad');
    const { completionId } = await place.producer.enqueue({ ...envelope, commands: [record('')] });
    const page = await browser.page();
    await page.goto('/');
    const row = page.locator('#refusals').getByRole('row', { name: completionId });
    await row.getByText('invalid_completion').waitFor();
    assert.equal(await page.getByRole('button', { name: /Redrive/ }).count(), 0);
    await row.getByRole('link').click();
    await page.getByText('activity_type: must not be blank').first().waitFor();
    assert.match(page.url(), /\/queues\/queue\/completions\//);
  });
});

describe('the dashboard with a token', () => {
  let place: DaemonPlace;
  let browser: TestBrowser;
  before(async () => {
    place = await DaemonPlace.open({ token });
    browser = await TestBrowser.launch(place.daemon.url);
  });
  after(async () => {
    await browser.close();
    await place.close();
  });

  async function signIn(page: Page): Promise<void> {
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
  }

  it('asks people to sign in, goes on where they were, and lets them go', async () => {
    const page = await browser.page();
    await page.goto('/?search=x');
    assert.equal(await page.getByRole('link', { name: 'Dashboard' }).count(), 0);
    await page.getByLabel('Token').fill('something else');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await signIn(page);
    assert.ok(page.url().endsWith('/?search=x'), page.url());
    assert.equal(await page.evaluate('document.cookie'), '', 'no script can read the session');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Token').waitFor();
    // Chromium itself notes the answer 401 to the wrong token.
    browser.complaints();
  });

  it('puts a refused completion back, which is stored now that its claim is there', async () => {
    const { envelope, run_id } = await place.fresh('late', 1);
    const later = { ...envelope, workflow_task_attempt: 2, commands: [record('a'), signalWait] };
    const { completionId } = await place.producer.enqueue(later);
    await assert.rejects(place.producer.waitFor(completionId, 20_000), /attempt/);
    await new Promise(resolve => setTimeout(resolve, 1_100));
    await place.claim('late');
    const page = await browser.page();
    await page.goto('/');
    await signIn(page);
    await page.getByRole('button', { name: `Redrive ${completionId}` }).click();
    await page.getByText('This daemon has refused nothing since it started.').waitFor();
    await page.getByRole('row', { name: new RegExp(`${run_id}.*waiting`) }).waitFor();
  });

  it('opens the board with its actions', async () => {
    const page = await browser.page();
    await page.goto('/queues/');
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('/queues/');
    await page.getByText('completions', { exact: true }).first().waitFor();
  });
});
