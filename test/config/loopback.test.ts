import assert from 'node:assert/strict';
import { isLoopback } from '../../config/loopback.ts';

describe('a host to listen on', () => {
  for (const host of [
    '127.0.0.1',
    '127.8.9.10',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    'localhost',
    'LocalHost',
  ])
    it(`is reached from this machine only: ${host}`, () => assert.equal(isLoopback(host), true));

  for (const host of [
    ...['0.0.0.0', '::', '::ffff:0.0.0.0', '::ffff:10.0.0.1', '10.0.0.1', '128.0.0.1', '127.1', ''],
    ...['127.example.org', 'localhost.example.org', 'example.org', '[::1]'],
  ])
    it(`may be reached from elsewhere: "${host}"`, () => assert.equal(isLoopback(host), false));
});
