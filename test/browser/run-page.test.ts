import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { TestBrowser } from '../support/browser.ts';
import { DaemonPlace } from '../support/daemon-place.ts';
import { commandList, record, signalWait } from '../support/drive.ts';

describe('the page of a run in a browser', () => {
  let place: DaemonPlace;
  let browser: TestBrowser;
  before(async () => {
    place = await DaemonPlace.open();
    browser = await TestBrowser.launch(place.daemon.url);
  });
  after(async () => {
    await browser.close();
    await place.close();
  });

  async function open(runId: string): Promise<Page> {
    const page = await browser.page();
    await page.goto(`/runs/${runId}`);
    await page.getByText(/^[\d,]+ events in [\d,]+ lanes$/).waitFor();
    return page;
  }

  it('draws attempts, heartbeats and failures, and tells them in words too', async () => {
    const page = await open(await place.completed('payment', commandList('retries-heartbeats-and-a-failure')));
    const timeline = page.getByRole('listbox', { name: /^Timeline/ });
    const lane = timeline.getByRole('group', { name: 'inventory.reserve, completed' });
    for (const name of [/attempt 1 timed out, 10 s/, /attempt 2 failed, \d+ ms/, /attempt 3 completed/])
      assert.equal(await lane.getByRole('option', { name }).count(), 1, String(name));
    assert.equal(await lane.getByRole('option', { name: /Heartbeat/ }).count(), 3);
    const failed = timeline.getByRole('option', { name: /payment\.charge: attempt 1 failed/ });
    const fillOf = async (option: typeof failed) =>
      page.evaluate(`getComputedStyle(document.getElementById('${await option.getAttribute('id')}')).fill`);
    assert.equal(await fillOf(failed), 'rgb(198, 43, 53)');
    assert.equal(await fillOf(lane.getByRole('option', { name: /attempt 3/ })), 'rgb(26, 127, 75)');
    await failed.click();
    const panel = page.getByRole('complementary', { name: 'Event' });
    await panel.getByRole('heading', { name: 'ActivityFailed' }).waitFor();
    await panel.getByText('card declined').first().waitFor();
    assert.equal(await failed.getAttribute('aria-selected'), 'true');
    await page
      .getByRole('row', { name: /ActivityFailed/ })
      .and(page.locator('[aria-current=true]'))
      .waitFor();
  });

  it('goes from event to event and from lane to lane with the keyboard', async () => {
    const page = await open(await place.completed('payment', commandList('retries-heartbeats-and-a-failure')));
    const heading = page.getByRole('complementary', { name: 'Event' }).getByRole('heading');
    await page.getByRole('listbox').focus();
    for (const [key, type] of [
      ['Home', 'StartAccepted'],
      ['ArrowRight', 'WorkflowStarted'],
      ['ArrowRight', 'WorkflowFailed'],
      ['ArrowRight', 'WorkflowFailed'],
      ['ArrowLeft', 'WorkflowStarted'],
      ['End', 'Activity'],
    ] as const) {
      await page.keyboard.press(key);
      assert.match(String(await heading.textContent()), new RegExp(`^${type}`), key);
    }
    const active = await page.getByRole('listbox').getAttribute('aria-activedescendant');
    assert.equal(await page.locator(`[id="${active}"]`).getAttribute('aria-selected'), 'true');
  });

  it('gives timers, waits and children lanes, and leads to a child', async () => {
    const page = await open(await place.completed('order', commandList('order-fulfilment')));
    for (const name of ['timer 86400 s, open', 'condition shipped, open', 'child invoice, open'])
      await page.getByRole('group', { name }).waitFor();
    await page.getByRole('listbox').getByRole('link', { name: 'child invoice' }).click();
    await page.getByRole('heading', { level: 1, name: 'invoice pending' }).waitFor();
  });

  it('draws on when the run goes on', async () => {
    const runId = await place.completed('goes-on', [record('first'), { type: 'start_timer', delay_seconds: 0 }]);
    const page = await open(runId);
    await page.getByRole('group', { name: 'timer 0 s, completed' }).waitFor();
    const { envelope } = await place.claim('goes-on');
    await place.producer.enqueueAndWait({ ...envelope, commands: [record('second'), { type: 'complete_workflow' }] });
    await page.getByRole('group', { name: 'second, completed' }).waitFor();
  });

  it('keeps three thousand events quick: only what is in sight is in the document', async function () {
    this.timeout(120_000);
    const names = Array.from({ length: 999 }, (_, n) => `step-${n}`);
    const page = await open(await place.completed('large', [...names.map(name => record(name)), signalWait]));
    await page.getByText('3,000 events in 1,001 lanes').waitFor();
    const timeline = page.getByRole('listbox');
    const lanes = timeline.getByRole('group');
    assert.ok((await lanes.count()) < 40, `${await lanes.count()} lanes are in the document`);
    assert.ok(Number(await page.evaluate('document.querySelectorAll("*").length')) < 1_500);
    const height = Number(await page.evaluate('timeline.scrollHeight'));
    for (let part = 1; part <= 10; part += 1) {
      await page.evaluate(`timeline.scrollTop = ${(height * part) / 10}`);
      const row = Math.floor((1_001 * part) / 10) + 2;
      if (part < 10) await timeline.getByRole('group', { name: `step-${row}, completed` }).waitFor();
    }
    await timeline.getByRole('option', { name: /^step-998: attempt 1/ }).click();
    await page.getByRole('complementary').getByText('"r-step-998"').waitFor();
    await page.getByRole('button', { name: 'Show event 2999', exact: true }).waitFor();
    await page.getByLabel('Axis').selectOption('order');
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await timeline.focus();
    await page.keyboard.press('Home');
    await timeline.getByRole('group', { name: 'workflow, open' }).waitFor();
    await page.getByRole('button', { name: 'Show event 1', exact: true }).waitFor();
  });
});
