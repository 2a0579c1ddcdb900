import assert from 'node:assert/strict';
import { DaemonPlace } from '../../support/daemon-place.ts';

const token = 'a token of some length';
const bearer = { authorization: `Bearer ${token}` };

describe('the token of the HTTP side', () => {
  let place: DaemonPlace;
  before(async () => {
    place = await DaemonPlace.open({ token });
  });
  after(() => place.close());

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${place.daemon.url}${path}`, { redirect: 'manual', ...init });

  const signIn = (given: string, next = '/metrics') =>
    ask('/sign-in', { method: 'POST', body: new URLSearchParams({ token: given, next }) });

  async function signedIn(): Promise<{ cookie: string }> {
    const cookie = (await signIn(token)).headers.get('set-cookie') ?? '';
    assert.match(cookie, /^completiond_session=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/);
    assert.ok(!cookie.includes(token));
    return { cookie: cookie.split(';')[0] ?? '' };
  }

  it('keeps everything but the probes', async () => {
    for (const path of ['/livez', '/readyz']) assert.equal((await ask(path)).status, 200, path);
    for (const path of ['/metrics', '/api/runs', '/api/stats', '/queues/', '/', '/runs/x', '/nothing']) {
      const response = await ask(path);
      assert.equal(response.status, 401, path);
      assert.equal(response.headers.get('www-authenticate'), 'Bearer');
      assert.equal(((await response.json()) as { error: { code: string } }).error.code, 'unauthorized');
    }
  });

  it('takes the token as a bearer, whole and as it is', async () => {
    assert.equal((await ask('/metrics', { headers: bearer })).status, 200);
    for (const authorization of [token, `Bearer ${token}x`, `Bearer ${token.slice(1)}`, 'Bearer ', 'Basic eA=='])
      assert.equal((await ask('/metrics', { headers: { authorization } })).status, 401, authorization);
  });

  it('never takes it from the URL', async () => {
    assert.equal((await ask(`/metrics?token=${encodeURIComponent(token)}`)).status, 401);
    assert.equal((await ask(`/sign-in?token=${encodeURIComponent(token)}`)).headers.get('set-cookie'), null);
  });

  it('sends people to sign in, gives them a session, and goes on where they were', async () => {
    const sent = await ask('/runs/abc?x=1', { headers: { accept: 'text/html' } });
    assert.deepEqual([sent.status, sent.headers.get('location')], [303, '/sign-in?next=%2Fruns%2Fabc%3Fx%3D1']);
    const wrong = await signIn('not the token');
    assert.deepEqual([wrong.status, wrong.headers.get('set-cookie')], [401, null]);
    assert.match(await wrong.text(), /role="alert"/);
    assert.equal((await signIn(token)).headers.get('location'), '/metrics');
    assert.equal((await ask('/metrics', { headers: await signedIn() })).status, 200);
    assert.equal((await ask('/metrics', { headers: { cookie: 'completiond_session=x' } })).status, 401);
  });

  it('never sends anybody to another host', async () => {
    for (const next of ['https://elsewhere.example', '//elsewhere.example', '/\\elsewhere.example', '/\t/elsewhere'])
      assert.equal((await signIn(token, next)).headers.get('location'), '/', next);
  });

  it('marks the cookie as secure behind a proxy that ends TLS', async () => {
    const headers = { 'x-forwarded-proto': 'https' };
    const response = await ask('/sign-in', { method: 'POST', body: new URLSearchParams({ token }), headers });
    assert.match(response.headers.get('set-cookie') ?? '', /; Secure$/);
  });

  it('takes no change from a page of another origin, and ends a session', async () => {
    const session = await signedIn();
    const post = (headers: Record<string, string>) =>
      ask('/sign-out', { method: 'POST', headers: { ...session, ...headers } });
    const { origin } = new URL(place.daemon.url);
    assert.equal((await post({ origin: 'http://127.0.0.1:1' })).status, 403);
    assert.equal((await post({})).status, 403);
    assert.equal((await post({ origin, 'sec-fetch-site': 'same-site' })).status, 403);
    const response = await post({ origin });
    assert.deepEqual([response.status, response.headers.get('location')], [303, '/sign-in']);
    assert.match(response.headers.get('set-cookie') ?? '', /^completiond_session=; .*Max-Age=0/);
  });

  it('sends a policy that takes nothing inline and nothing from elsewhere', async () => {
    const policy = (await ask('/sign-in')).headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  });
});
