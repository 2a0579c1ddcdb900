import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { CompletionRefused } from '../queue/completion-refused.ts';
import type { CompletionProducer } from '../queue/producer.ts';
import { CliError } from './cli-error.ts';
import type { CliContext } from './context.ts';
import { positiveInteger } from './option-values.ts';
import { formatPairs } from './table.ts';

interface EnqueueOptions {
  readonly wait?: boolean;
  readonly timeoutMs: number;
  readonly ndjson?: boolean;
  readonly job: string;
}

function open(file: string): NodeJS.ReadableStream {
  return file === '-' ? process.stdin : createReadStream(file);
}

function parse(json: string, where: string): object {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new CliError(`${where}: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CliError(
      `${where}: expected a completion, a JSON object with task_id, lease_owner, workflow_task_attempt and commands`,
    );
  return value;
}

async function readAll(file: string): Promise<string> {
  try {
    return await text(open(file) as NodeJS.ReadStream);
  } catch (error) {
    throw new CliError(`${file}: ${(error as Error).message}`, 2);
  }
}

/** One completion; with `--wait` its outcome, or its refusal. */
async function one(producer: CompletionProducer, completion: object, options: EnqueueOptions, context: CliContext) {
  try {
    const enqueued = await producer.enqueue(completion, options.job);
    if (!options.wait) {
      const document = { completion_id: enqueued.completionId, added: enqueued.added };
      context.print(document, () => formatPairs(Object.entries(document)));
      return;
    }
    const outcome = (await producer.waitFor(enqueued.completionId, options.timeoutMs)) as Record<string, unknown>;
    context.print(outcome, () => formatPairs(Object.entries(outcome)));
  } catch (error) {
    if (!(error instanceof CompletionRefused)) throw error;
    process.exitCode = 1;
    const { code, status, message } = error;
    if (context.json) context.print({ refused: { code, status, message } }, () => '');
    else process.stderr.write(`refused ${code} (${status}): ${message}\n`);
  }
}

/** `enqueue`: completions into the queue. */
export function addEnqueue(program: Command, context: CliContext): void {
  program
    .command('enqueue <file>')
    .description('put a completion into the queue; FILE is JSON, - is standard input')
    .option('--wait', 'wait for the outcome; a refusal exits 1 with its code')
    .option('--timeout-ms <n>', 'how long to wait', positiveInteger(), 60_000)
    .option('--ndjson', 'one completion a line')
    .option('--job <name>', 'name of the job', 'completion')
    .addHelpText('after', '\nExample:\n  completiond enqueue completion.json --wait')
    .action(async (file: string, options: EnqueueOptions) => {
      const settings = context.settings();
      const whole = options.ndjson ? undefined : parse(await readAll(file), file);
      const { CompletionProducer } = await import('../queue/producer.ts');
      const producer = await CompletionProducer.connect(settings);
      try {
        if (whole !== undefined) await one(producer, whole, options, context);
        else {
          let line = 0;
          for await (const json of createInterface({ input: open(file) })) {
            line += 1;
            if (json.trim() !== '') await one(producer, parse(json, `${file}, line ${line}`), options, context);
          }
        }
      } finally {
        await producer.close();
      }
    });
}
