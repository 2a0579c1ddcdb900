import assert from 'node:assert/strict';
import { loadSettings } from '../../config/load.ts';
import { maskSettings, maskText, maskUrl } from '../../config/mask.ts';

describe('what people see of a URL', () => {
  for (const [url, shown] of [
    ['postgres://me:s3cret@db:5432/x', 'postgres://me:***@db:5432/x'],
    ['redis://:s3cret@cache:6379/0', 'redis://:***@cache:6379/0'],
    ['redis://:s3%2Fcret@cache', 'redis://:***@cache'],
    ['mysql://me:s3@cret@db/x', 'mysql://me:***@db/x'],
    ['postgres://me:s3 cret@db/x', 'postgres://me:***@db/x'],
    ['postgres://me:s3cret@/x?host=/run/pg', 'postgres://me:***@/x?host=/run/pg'],
    ['postgres://db/x?user=me&password=s3cret&sslmode=require', 'postgres://db/x?user=me&password=***&sslmode=require'],
    ['postgres://db/x?%70assword=s3cret', 'postgres://db/x?password=***'],
    ['postgres://db/x?s3cret', 'postgres://db/x?***'],
    ['postgres://db/x#s3cret', 'postgres://db/x'],
    ['postgres://me:s3/cret@db/x', 'postgres://***'],
    ['postgres://me:12/s3cret@db/x', 'postgres://***'],
    ['postgres://me:12#s3cret@db/x', 'postgres://***'],
    ['postgres://me:12?s3cret@db/x', 'postgres://***'],
    ['postgres:me:s3cret@db/x', 'postgres:***'],
    ['s3cret', '***'],
    ['sqlite:./me@home/x.db', 'sqlite:./me@home/x.db'],
    ['embedded:./data/queue', 'embedded:./data/queue'],
    ['redis://[::1]:6379', 'redis://[::1]:6379'],
  ] as const)
    it(`has no secret: ${shown}, of ${url}`, () => assert.equal(maskUrl(url), shown));

  it('has no secret inside other text either', () => {
    assert.equal(maskText('no answer of redis://:s3cret@cache:1: gone'), 'no answer of redis://:***@cache:1: gone');
    assert.equal(maskText('"mysql://me:s3 c/ret@db/x" is bad'), '"mysql://***" is bad');
    const stack = 'Error\n    at run (file:///srv/@scope/main.js:3:7)';
    assert.equal(maskText(stack), stack);
  });

  it('is masked in the settings, with the token', () => {
    const settings = loadSettings({
      env: {
        COMPLETIOND_DATABASE_URL: 'postgres://db/x?password=s3cret',
        COMPLETIOND_QUEUE_URL: 'rediss://:s3%20cret@cache',
        COMPLETIOND_HTTP_TOKEN: 's3cret-token',
      },
    });
    assert.doesNotMatch(JSON.stringify(maskSettings(settings)), /s3/);
  });
});
