import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian keeps PostgreSQL's programs here, a folder a version, and off the PATH. */
const postgresFolder = '/usr/lib/postgresql';
/** Debian's way to say that a package must not start its service when it is installed; 101 means "forbidden". */
const policyFile = '/usr/sbin/policy-rc.d';
const update = ['update'];
const packages = ['redis-server', 'postgresql', 'mariadb-server', 'chromium', 'fonts-dejavu-core'];
const install = ['install', '-y', '--no-install-recommends', ...packages];

/** A kind of server, or the browser: the programs it needs, and the variable that names another one and makes them unnecessary. */
const needs: readonly { readonly variable: string; readonly binaries: readonly string[] }[] = [
  { variable: 'COMPLETIOND_TEST_REDIS_URL', binaries: ['redis-server'] },
  { variable: 'COMPLETIOND_TEST_POSTGRES_URL', binaries: ['postgres', 'initdb'] },
  { variable: 'COMPLETIOND_TEST_MYSQL_URL', binaries: ['mariadbd', 'mariadb-install-db'] },
  { variable: 'COMPLETIOND_TEST_CHROMIUM', binaries: ['chromium'] },
];

/** The absolute path of a server's program, on the PATH or where Debian puts it; an error when there is none. */
export function binaryPath(name: string): string {
  const path = findBinary(name);
  if (path === undefined) throw new Error(missingMessage([name]));
  return path;
}

/** What of the system the check looks at; tests hand in others. */
export interface System {
  readonly environment: NodeJS.ProcessEnv;
  readonly mayInstall: boolean;
  find(binary: string): string | undefined;
  /** Runs apt-get, no service starting; an error when it fails. */
  aptGet(args: readonly string[]): void;
}

const thisSystem: System = {
  environment: process.env,
  get mayInstall() {
    return process.getuid?.() === 0 && findBinary('apt-get') !== undefined;
  },
  find: findBinary,
  aptGet(args) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    // Standard output belongs to the reporter.
    const run = () => spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    const { status } = withoutServices(run);
    if (status !== 0) throw new Error(`apt-get ${args.join(' ')} ended with ${status}`);
  },
};

/**
 * Sees to it that the servers' programs and the browser are here: root on a system with apt-get gets them installed, without their
 * services starting; anybody else gets one error that says what to do. Takes a minute or two when it installs.
 */
export function ensureInstalled(system: System = thisSystem): void {
  if (missingBinaries(system).length === 0) return;
  if (system.mayInstall) for (const args of [update, install]) system.aptGet(args);
  const missing = missingBinaries(system);
  if (missing.length > 0) throw new Error(missingMessage(missing));
}

/** The programs that are needed and not here; those of a server that a variable replaces are not needed. */
function missingBinaries({ environment, find }: System): readonly string[] {
  return needs
    .filter(({ variable }) => !environment[variable])
    .flatMap(({ binaries }) => binaries.filter(name => find(name) === undefined));
}

/** What to tell somebody whose system lacks programs: their names and the two ways out. */
export function missingMessage(missing: readonly string[]): string {
  return [
    `The tests need programs that are not installed: ${missing.join(', ')}.`,
    `Install them: sudo apt-get ${update.join(' ')} && sudo apt-get ${install.join(' ')}`,
    'or start the servers in containers: docker compose up -d --wait',
    'and name them: COMPLETIOND_TEST_REDIS_URL=redis://127.0.0.1:6379',
    '  COMPLETIOND_TEST_POSTGRES_URL=postgres://completiond:completiond@127.0.0.1:5432/completiond',
    '  COMPLETIOND_TEST_MYSQL_URL=mysql://root:completiond@127.0.0.1:3306',
    'and a Chromium or Chrome by its path: COMPLETIOND_TEST_CHROMIUM=/usr/bin/google-chrome',
  ].join('\n');
}

function findBinary(name: string): string | undefined {
  const versions = existsSync(postgresFolder) ? readdirSync(postgresFolder) : [];
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  const postgresFolders = newestFirst.map(version => join(postgresFolder, version, 'bin'));
  return [...folders, ...postgresFolders].map(folder => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A policy of the system's own is left as it is. */
function withoutServices<T>(work: () => T): T {
  const ownPolicy = !existsSync(policyFile);
  if (ownPolicy) writeFileSync(policyFile, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    return work();
  } finally {
    if (ownPolicy) rmSync(policyFile, { force: true });
  }
}
