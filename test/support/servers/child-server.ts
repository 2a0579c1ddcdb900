import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { guardExit } from './exit-guard.ts';
import { freePort } from './free-port.ts';
import { killTree, signal, signalTree } from './process-tree.ts';

const startAttempts = 4;
const startTimeoutMs = 60_000;
const stopTimeoutMs = 15_000;
/** Of the server's output, enough for the reason it did not start. */
const outputLength = 4_000;

/** How to run one kind of server in the foreground. */
export interface ServerProgram {
  readonly name: string;
  readonly binary: string;
  /** The user the server runs as; left out, this process's. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /** What ends it in good order. */
  readonly stopSignal: NodeJS.Signals;
  args(port: number): readonly string[];
  /** Resolves when the server answers on the port, rejects when it does not yet. */
  ping(port: number): Promise<void>;
}

interface Running {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Resolves with the last output once the process has ended. */
  readonly ended: Promise<string>;
}

/** One server process without a shell between, so its pid is the server's. It keeps its port over restarts. */
export class ChildServer {
  readonly #program: ServerProgram;
  #port: number | undefined;
  #running: Running | undefined;

  constructor(program: ServerProgram) {
    this.#program = program;
  }

  /** The port it was last started on; an error before the first start. */
  get port(): number {
    if (this.#port === undefined) throw new Error(`${this.#program.name} was never started`);
    return this.#port;
  }

  /** Starts the server and waits until it answers. A port that was taken meanwhile is replaced, before the first success. */
  async start(): Promise<void> {
    if (this.#running !== undefined) throw new Error(`${this.#program.name} is running already`);
    let reason = '';
    for (let attempt = 1; attempt <= startAttempts; attempt += 1) {
      const port = this.#port ?? (await freePort());
      const running = await this.#spawn(port);
      const ended = await Promise.race([running.ended, this.#answers(port, running)]);
      if (ended === undefined) {
        this.#port = port;
        return;
      }
      reason = ended;
      await sleep(100 * attempt);
    }
    throw new Error(`${this.#program.name} did not start: ${reason}`);
  }

  /** Ends the server in good order and waits for it; one that takes too long is killed. */
  async stop(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    this.resume();
    signal(running.pid, this.#program.stopSignal);
    const late = new AbortController();
    const kill = sleep(stopTimeoutMs, undefined, { signal: late.signal }).then(
      () => killTree(running.pid),
      () => undefined,
    );
    await running.ended;
    late.abort();
    await kill;
  }

  /** SIGKILL for the server and its children, as a crash of the machine would do it, and waits until it is gone. */
  async kill(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    killTree(running.pid);
    await running.ended;
  }

  /** Lets it hear and say nothing: its connections stay, and nobody answers. */
  suspend(): void {
    if (this.#running) signalTree(this.#running.pid, 'SIGSTOP');
  }

  /** The end of `suspend`. */
  resume(): void {
    if (this.#running) signalTree(this.#running.pid, 'SIGCONT');
  }

  async #spawn(port: number): Promise<Running> {
    const { binary, user, name } = this.#program;
    const child = spawn(binary, this.#program.args(port), {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(user ?? {}),
    });
    let output = '';
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-outputLength);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    const { pid } = child;
    if (pid === undefined) throw new Error(`${name} has no pid`);
    const release = guardExit(() => killTree(pid));
    const ended = new Promise<string>(resolve => {
      child.once('exit', (code, reason) => {
        release();
        this.#running = undefined;
        resolve(`it ended with ${code ?? reason}: ${output}`);
      });
    });
    this.#running = { child, pid, ended };
    return this.#running;
  }

  async #answers(port: number, { pid, ended }: Running): Promise<string | undefined> {
    const deadline = Date.now() + startTimeoutMs;
    while (this.#running?.pid === pid) {
      try {
        await this.#program.ping(port);
        return undefined;
      } catch (error) {
        if (Date.now() > deadline) {
          killTree(pid);
          return `no answer within ${startTimeoutMs} ms: ${String(error)}`;
        }
        await sleep(25);
      }
    }
    return ended;
  }
}
