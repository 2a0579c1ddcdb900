import assert from 'node:assert/strict';
import { CompletionProducer } from '../../src/queue/producer.ts';
import { sendSignal } from '../../src/transaction/send-signal.ts';
import { Drive, record, signalWait } from '../support/drive.ts';
import { ask } from '../support/reading.ts';
import { databaseNames, Scene, sceneKinds } from './scene.ts';

const families = Number(process.env.FAULTS_FAMILIES ?? 12);
const childrenPerFamily = 3;
const openRuns = ask(
  { n: 'int' },
  "select count(*) as n from workflow_runs where closed_at is null and workflow_type <> 'load'",
);

for (const kind of sceneKinds)
  describe(`opposite lock orders on ${databaseNames[kind]}`, function () {
    this.timeout(600_000);
    let scene: Scene;
    before(async () => {
      scene = await Scene.open(kind);
    });
    after(() => scene.close());

    it('let parents that end their children, and the children, all end in two daemons', async () => {
      const { load } = scene;
      const drive = new Drive(load);
      const end = [record('last'), { type: 'complete_workflow' }];
      const completions: object[] = [];
      for (let family = 0; family < families; family += 1) {
        const parent = await drive.fresh();
        const start = { type: 'start_child_workflow', workflow_type: 'child', parent_close_policy: 'terminate' };
        await drive.complete(parent.task, [...Array<object>(childrenPerFamily).fill(start), signalWait]);
        const children = [];
        for (let child = 0; child < childrenPerFamily; child += 1) children.push(await drive.claimed(parent.queue));
        await sendSignal(load.store, load.settings, parent.run_id, 'go');
        for (const { task_id, lease_owner, workflow_task_attempt } of [await drive.claimed(parent.queue), ...children])
          completions.push({ task_id, lease_owner, workflow_task_attempt, commands: end });
      }
      const producer = await CompletionProducer.connect(load.settings);
      await producer.enqueueBulk(completions);
      await producer.close();
      await Promise.all([scene.daemon(), scene.daemon()]);
      const codes = (await load.settled()).map(({ code }) => code);
      assert.deepEqual(
        codes.filter(code => code !== 'run_closed'),
        [],
      );
      assert.equal((await load.store.read(openRuns, []))[0]?.n, 0);
      await load.assertClean();
    });
  });
