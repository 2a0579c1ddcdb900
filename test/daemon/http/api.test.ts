import assert from 'node:assert/strict';
import { listRuns, readActivities, readHistory, readRun } from '../../../src/store/reads.ts';
import { DaemonPlace } from '../../support/daemon-place.ts';
import { commandList, record, signalWait } from '../../support/drive.ts';

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>> & { readonly error?: { code: string; message: string } };
}

describe('the reading API', () => {
  let place: DaemonPlace;
  let orders: string[];
  let report: string;

  before(async () => {
    place = await DaemonPlace.open();
    orders = [];
    for (const name of ['a', 'b', 'c']) orders.push(await place.completed('order', [record(name), signalWait]));
    report = await place.completed('report_100%', commandList('forty-records-and-a-side-effect'));
  });
  after(() => place.close());

  async function get(path: string): Promise<Answer> {
    const response = await fetch(`${place.daemon.url}${path}`);
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  }

  const idsOf = ({ body }: Answer) => (body.runs as { id: string }[]).map(({ id }) => id);

  it('lists runs newest first, in the shape of the command line', async () => {
    const { status, body } = await get('/api/runs');
    assert.equal(status, 200);
    assert.deepEqual(body, { runs: await listRuns(place.store), next: null });
  });

  it('pages through the runs by a cursor', async () => {
    const first = await get('/api/runs?limit=3');
    assert.deepEqual(idsOf(first), [report, orders[2], orders[1]]);
    const second = await get(`/api/runs?limit=3&cursor=${first.body.next}`);
    assert.deepEqual([idsOf(second), second.body.next], [[orders[0]], null]);
  });

  it('finds runs by a part of their id, workflow id or type, in any case and with no wildcards', async () => {
    const [run] = await listRuns(place.store, { workflowId: undefined, type: 'report_100%' });
    for (const part of ['REPORT', '100%', report.toLowerCase(), String(run?.workflow_instance_id).slice(3)])
      assert.deepEqual(idsOf(await get(`/api/runs?search=${encodeURIComponent(part)}`)), [report], part);
    assert.deepEqual(idsOf(await get('/api/runs?search=o_der')), []);
    assert.deepEqual(idsOf(await get('/api/runs?search=order&status=waiting&limit=1')), [orders[2]]);
    assert.deepEqual(idsOf(await get('/api/runs?search=order&status=failed')), []);
  });

  it('tells of a run, its activities and its history in the shapes of the command line', async () => {
    assert.deepEqual((await get(`/api/runs/${report}`)).body, await readRun(place.store, report));
    assert.deepEqual((await get(`/api/runs/${report}/activities`)).body, await readActivities(place.store, report));
    const page = await get(`/api/runs/${report}/history?after=5&limit=10`);
    assert.deepEqual(page.body, JSON.parse(JSON.stringify(await readHistory(place.store, report, 5n, 10))));
    assert.equal(page.body.next, '15');
  });

  it('answers 404 with a code for what is unknown', async () => {
    for (const path of ['', '/history', '/activities'])
      for (const id of ['01J8Z0M7T90000000000000000', 'no%00such']) {
        const { status, body } = await get(`/api/runs/${id}${path}`);
        assert.deepEqual([status, body.error?.code], [404, 'run_not_found'], id + path);
      }
    const { status, body } = await get('/api/nothing?secret=1');
    assert.deepEqual([status, body], [404, { error: { code: 'not_found', message: 'there is no GET /api/nothing' } }]);
  });

  it('names each bad parameter', async () => {
    const runs = await get('/api/runs?limit=0&status=odd&page=2&search=%00');
    assert.deepEqual([runs.status, runs.body.error?.code], [400, 'invalid_parameters']);
    for (const name of ['limit: ', 'status: ', 'page: ', 'search: '])
      assert.ok(runs.body.error?.message.includes(name), `${name}${runs.body.error?.message}`);
    const history = await get(`/api/runs/${report}/history?after=-1&limit=1e3`);
    assert.match(history.body.error?.message ?? '', /after: .*limit: /);
    assert.equal((await get(`/api/runs/${report}/history?after=9223372036854775808`)).status, 400);
  });
});
