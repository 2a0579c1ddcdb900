import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packageRoot } from '../../config/package-root.ts';
import { freePort } from './servers/free-port.ts';

const main = join(packageRoot, 'dist/src/cli/main.js');

/** A daemon in a process of its own, compiled as it is shipped. */
export class DaemonProcess {
  readonly url: string;
  /** Resolves to its exit code, null when a signal ended it. */
  readonly exited: Promise<number | null>;
  readonly #child: ChildProcess;
  #log = '';

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
    this.exited = once(child, 'exit').then(([code]) => code as number | null);
    child.stderr?.on('data', chunk => {
      this.#log += String(chunk);
    });
  }

  /** One that is ready. @param env its settings; the port is chosen here. */
  static async start(env: Readonly<Record<string, string>>): Promise<DaemonProcess> {
    const daemon = await DaemonProcess.launch(env);
    await daemon.ready();
    return daemon;
  }

  static async launch(env: Readonly<Record<string, string>>): Promise<DaemonProcess> {
    if (!existsSync(main)) throw new Error('dist is missing: npm run build');
    const port = String(await freePort());
    const child = spawn(process.execPath, [main, 'start', '--migrate'], {
      env: { ...process.env, COMPLETIOND_HTTP_PORT: port, COMPLETIOND_LOG_LEVEL: 'warn', ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return new DaemonProcess(child, `http://127.0.0.1:${port}`);
  }

  /** Resolves when it takes jobs. */
  async ready(): Promise<void> {
    for (let tries = 0; tries < 400; tries += 1) {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) break;
      const answer = await fetch(`${this.url}/readyz`).catch(() => undefined);
      if (answer?.ok) return;
      await sleep(100);
    }
    this.#child.kill('SIGKILL');
    throw new Error(`the daemon did not get ready: ${this.#log.slice(-2_000)}`);
  }

  /** What it logged so far. */
  get log(): string {
    return this.#log;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Ends it as a power cut does. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.exited;
  }

  /** Stops it as an orchestrator does. @returns its exit code. */
  async stop(): Promise<number | null> {
    this.signal('SIGTERM');
    return this.exited;
  }

  /** Asks an endpoint until it answers as wanted, or for ten seconds. @returns its last status. */
  async statusOf(path: string, wanted: number): Promise<number | undefined> {
    let status: number | undefined;
    for (let tries = 0; tries < 100 && status !== wanted; tries += 1) {
      if (tries > 0) await sleep(100);
      status = await fetch(`${this.url}${path}`).then(
        answer => answer.status,
        () => undefined,
      );
    }
    return status;
  }
}
