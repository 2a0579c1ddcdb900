import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort } from './servers/free-port.ts';

const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

/** A daemon in a process of its own, compiled as it is shipped. */
export class DaemonProcess {
  readonly url: string;
  readonly #child: ChildProcess;
  #log = '';

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
    child.stderr?.on('data', chunk => {
      this.#log += String(chunk);
    });
  }

  /** @param env its settings; the port is chosen here. Resolves when it is ready. */
  static async start(env: Readonly<Record<string, string>>): Promise<DaemonProcess> {
    if (!existsSync(main)) throw new Error('dist is missing: npm run build');
    const port = String(await freePort());
    const child = spawn(process.execPath, [main, 'start', '--migrate'], {
      env: { ...process.env, COMPLETIOND_HTTP_PORT: port, COMPLETIOND_LOG_LEVEL: 'warn', ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const daemon = new DaemonProcess(child, `http://127.0.0.1:${port}`);
    await daemon.#ready();
    return daemon;
  }

  async #ready(): Promise<void> {
    for (let tries = 0; tries < 400; tries += 1) {
      if (this.#child.exitCode !== null) break;
      const answer = await fetch(`${this.url}/readyz`).catch(() => undefined);
      if (answer?.ok) return;
      await new Promise(resolve => setTimeout(resolve, 100));
    }
    this.#child.kill('SIGKILL');
    throw new Error(`the daemon did not get ready: ${this.#log.slice(-2_000)}`);
  }

  /** Ends it as a power cut does. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }

  /** Stops it as an orchestrator does. @returns its exit code. */
  async stop(): Promise<number | null> {
    if (this.#child.exitCode !== null) return this.#child.exitCode;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exited;
    return this.#child.exitCode;
  }
}
