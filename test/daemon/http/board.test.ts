import assert from 'node:assert/strict';
import { QueueAdmin } from '../../../src/queue/admin.ts';
import { DaemonPlace } from '../../support/daemon-place.ts';
import { record, signalWait } from '../../support/drive.ts';
import { queueKinds } from '../../support/queues.ts';
import { servers } from '../../support/servers.ts';

const token = 'a token of some length';
const bearer = { authorization: `Bearer ${token}` };

/** A claimed task whose completion was refused; the id of its dead letter. */
async function refuse(place: DaemonPlace): Promise<string> {
  const { envelope } = await place.fresh('board');
  const { completionId } = await place.producer.enqueue({ ...envelope, commands: [record('')] });
  await assert.rejects(place.producer.waitFor(completionId, 20_000));
  return completionId;
}

for (const kind of queueKinds) {
  describe(`the job board on a queue on ${kind}`, () => {
    let place: DaemonPlace;
    before(async function () {
      this.timeout(120_000);
      const urls = {
        embedded: (directory: string) => `embedded:${directory}/queue`,
        redis: () => servers.redisUrl(),
        postgres: () => servers.postgresUrl(),
      };
      place = await DaemonPlace.open({ queueUrl: urls[kind], token });
    });
    after(() => place.close());

    const ask = (path: string, method = 'GET') =>
      fetch(`${place.daemon.url}/queues${path}`, { method, headers: bearer });

    it('shows the jobs with their states and their data', async () => {
      await place.completed('board', [record('a'), signalWait]);
      const id = await refuse(place);
      const list = (await (await ask('/api/queues?activeQueue=completions&status=failed')).json()) as {
        queues: { name: string; counts: Record<string, number>; readOnlyMode: boolean; jobs: { id: string }[] }[];
      };
      const [queue] = list.queues;
      assert.deepEqual([queue?.name, queue?.readOnlyMode, queue?.counts.failed], ['completions', false, 1]);
      assert.equal(queue?.counts.completed, 1);
      const { job } = (await (await ask(`/api/queues/completions/${id}`)).json()) as {
        job: { data: { commands: object[] }; failedReason: string };
      };
      assert.equal(job.data.commands.length, 1);
      assert.match(job.failedReason, /^invalid_completion: /);
    });

    it('is a page that asks no other host for anything, with what it needs', async () => {
      const page = await (await ask('/')).text();
      assert.doesNotMatch(page, /https?:|<style|style=/);
      const assets = [...page.matchAll(/(?:src|href)="(static\/[^"]+)"/g)].map(([, path]) => path);
      assert.ok(assets.length > 3);
      for (const path of assets) assert.equal((await ask(`/${path}`)).status, 200, path);
    });

    it('redrives a refused job', async () => {
      const id = await refuse(place);
      const admin = await QueueAdmin.connect(place.settings.queue);
      try {
        const before = (await admin.queue.getJob(id))?.finishedOn ?? 0;
        assert.equal((await ask(`/api/queues/completions/${id}/retry`, 'PUT')).status, 204);
        for (let looks = 0; looks < 200; looks += 1) {
          if (((await admin.queue.getJob(id))?.finishedOn ?? 0) > before) return;
          await new Promise(resolve => setTimeout(resolve, 50));
        }
        assert.fail('the job was not taken again');
      } finally {
        await admin.close();
      }
    });
  });
}

describe('the job board without a token', () => {
  let place: DaemonPlace;
  before(async () => {
    place = await DaemonPlace.open();
  });
  after(() => place.close());

  it('shows the jobs and changes nothing', async () => {
    const id = await refuse(place);
    const queue = `${place.daemon.url}/queues/api/queues/completions`;
    assert.equal((await fetch(`${queue}/${id}`)).status, 200);
    for (const [method, path] of [
      ['PUT', `${id}/retry`],
      ['PUT', `${id}/clean`],
      ['PUT', 'retry/failed'],
      ['PUT', 'clean/failed'],
      ['PUT', 'empty'],
      ['PUT', 'obliterate'],
      ['PUT', 'pause'],
      ['PATCH', `${id}/update-data`],
      ['POST', 'add'],
    ] as const)
      assert.equal((await fetch(`${queue}/${path}`, { method })).status, 403, `${method} ${path}`);
    assert.equal((await fetch(`${queue}/${id}`)).status, 200);
  });
});
