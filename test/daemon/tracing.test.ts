import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { DaemonPlace } from '../support/daemon-place.ts';
import { record, signalWait } from '../support/drive.ts';
import { temporaryPath } from '../support/servers/temporary-folder.ts';

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly parent?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

const sdk = new URL('./spans-to-file.mjs', import.meta.url).href;
const traceId = '0af7651916cd43dd8448eb211c80319c';
const parent = 'b7ad6b7169203331';

describe('a daemon with an OpenTelemetry SDK', () => {
  let place: DaemonPlace;
  const file = temporaryPath('spans');
  before(async () => {
    place = await DaemonPlace.open({
      env: { NODE_OPTIONS: `--import=${sdk}`, SPANS_FILE: file, COMPLETIOND_LOG_LEVEL: 'info' },
    });
  });
  after(() => place.close());

  /** The spans of a name, as soon as there are so many. */
  async function spans(name: string, count: number): Promise<Span[]> {
    for (let looks = 0; ; looks += 1) {
      const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
      const found = lines.map(line => JSON.parse(line) as Span).filter(span => span.name === name);
      if (found.length >= count) return found;
      assert.ok(looks < 100, `${found.length} spans ${name} among ${lines.length}`);
      await sleep(50);
    }
  }

  it('applies a completion in the trace that it names, and tells what became of it', async () => {
    const { run_id, envelope } = await place.fresh('traced');
    const completion = { ...envelope, traceparent: `00-${traceId}-${parent}-01`, commands: [record('a'), signalWait] };
    await place.producer.enqueueAndWait(completion);
    const [span] = await spans('completiond.apply', 1);
    assert.equal(span?.traceId, traceId);
    assert.equal(span?.parent, parent);
    assert.equal(span?.attributes['completiond.run_id'], run_id);
    assert.equal(span?.attributes['completiond.outcome'], 'completed');
    assert.equal(JSON.stringify(span).includes('r-a'), false, 'no payload');
    assert.match(place.daemon.log, new RegExp(`"trace_id":"${traceId}"`));
  });

  it('names the code of a refusal that only the database knew', async () => {
    const { envelope } = await place.fresh('refused');
    const { completionId } = await place.producer.enqueue({
      ...envelope,
      lease_owner: 'somebody else',
      commands: [signalWait],
    });
    await assert.rejects(place.producer.waitFor(completionId, 20_000));
    const found = (await spans('completiond.apply', 2)).at(-1);
    assert.equal(found?.attributes['completiond.code'], 'lease_owner_mismatch');
  });

  it("gives the queue's own spans too", async () => {
    assert.ok((await spans('process completions', 2)).length >= 2);
  });
});
