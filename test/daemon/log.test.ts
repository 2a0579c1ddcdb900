import assert from 'node:assert/strict';
import { DaemonPlace } from '../support/daemon-place.ts';
import { record, signalWait } from '../support/drive.ts';

/** Stands in every place where a payload can be. */
const mark = 'PAYLOAD-MARK';

describe('the log of a daemon at its most talkative', () => {
  it('has a line for each completion and no payload of any', async () => {
    const place = await DaemonPlace.open({ env: { COMPLETIOND_LOG_LEVEL: 'trace' } });
    const attempts = [{ attempt_number: 1, outcome: 'failed', message: mark, exception: mark }];
    const heartbeats = [{ elapsed_ms: 1, details: { mark } }];
    const run_id = await place.completed('quiet', [
      record('a', { arguments: mark, result: mark }),
      record('b', { outcome: 'failed', message: mark, exception: { mark }, result: undefined, attempts }),
      record('c', { attempts: [{ attempt_number: 1, outcome: 'completed', heartbeats }] }),
      { type: 'record_side_effect', result: mark },
      { type: 'upsert_memo', entries: { note: mark } },
      { type: 'upsert_search_attributes', attributes: { city: mark } },
      signalWait,
    ]);
    const { envelope } = await place.fresh('refused');
    for (const commands of [
      [record('a', { arguments: mark, attempts: [] })],
      [record('a', { result: `${mark}\u0000` })],
      [{ type: 'record_side_effect', result: mark.repeat(200_000) }],
    ]) {
      const { completionId } = await place.producer.enqueue({ ...envelope, commands });
      await assert.rejects(place.producer.waitFor(completionId, 20_000), /./);
    }
    const { log } = place.daemon;
    await place.close();
    assert.ok(log.includes(`"run_id":"${run_id}"`));
    assert.equal(log.split('"msg":"refused"').length - 1, 3);
    assert.equal(log.includes(mark), false);
  });
});
