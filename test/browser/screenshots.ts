import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packageRoot } from '../../config/package-root.ts';
import { TestBrowser } from '../support/browser.ts';
import { DaemonPlace } from '../support/daemon-place.ts';
import { commandList, record, signalWait } from '../support/drive.ts';
import { removeTemporaryFolder } from '../support/servers/temporary-folder.ts';
import { servers } from '../support/servers.ts';

/** Pictures of the dashboard and of a run's page for the README, of a daemon that has work: `npm run screenshots`. */
const folder = join(packageRoot, 'test/browser/screenshots');
const workSeconds = 25;

mkdirSync(folder, { recursive: true });
const place = await DaemonPlace.open();
const browser = await TestBrowser.launch(place.daemon.url);
try {
  const isStep = (command: object) => (command as { type?: string }).type !== 'fail_workflow';
  const order = await place.completed('order.fulfilment', [
    ...commandList('retries-heartbeats-and-a-failure').filter(isStep),
    { type: 'schedule_activity', activity_type: 'parcel.pack', queue: 'warehouse' },
    { type: 'start_timer', delay_seconds: 20 },
    { type: 'start_child_workflow', workflow_type: 'invoice.send', queue: 'invoices' },
    { type: 'open_signal_wait', signal_name: 'parcel-delivered' },
  ]);
  const dashboard = await browser.page({ colorScheme: 'light', viewport: { width: 1_280, height: 720 } });
  await dashboard.goto('/');
  await work(workSeconds);
  await dashboard.reload();
  await dashboard.getByText(/^last: p50 /).waitFor();
  await dashboard.screenshot({ path: join(folder, 'dashboard.png') });

  const run = await browser.page({ colorScheme: 'dark', viewport: { width: 1_280, height: 640 } });
  await run.goto(`/runs/${order}`);
  await run.getByRole('button', { name: 'Show event 15', exact: true }).click();
  await run.evaluate('scrollTo(0, 0)');
  await run.screenshot({ path: join(folder, 'run.png') });
} finally {
  await browser.close();
  await place.close();
  await servers.stop();
  removeTemporaryFolder();
}

/** Completions of several types at a changing pace, and now and then one that is refused. */
async function work(seconds: number): Promise<void> {
  const types = ['order.fulfilment', 'invoice.send', 'payment.capture', 'parcel.track'];
  for (let index = 0, end = Date.now() + seconds * 1_000; Date.now() < end; index += 1) {
    const type = types[index % types.length] ?? '';
    const { envelope } = await place.fresh(`${type}`);
    const steps = Array.from({ length: 1 + (index % 7) * 3 }, (_, step) => record(`${type}.step-${step}`));
    const bad = index % 400 === 150 ? [record('')] : [];
    await place.producer.enqueue({ ...envelope, commands: [...steps, ...bad, signalWait] });
    await sleep(8 + 12 * Math.abs(Math.sin(index / 40)));
  }
}
