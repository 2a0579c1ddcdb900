import { z } from 'zod';
import { isLoopback } from './loopback.ts';
import { urlProblem } from './server-url.ts';

const count = z.int().min(1);
const bytes = z.int().min(1024);
const milliseconds = z.int().min(1);
const url = (...schemes: string[]) =>
  z.string().check(({ value, issues }) => {
    const message = urlProblem(value, schemes);
    if (message !== undefined) issues.push({ code: 'custom', input: value, message });
  });

/** TLS of one connection; PEM files are given by path. Leaving all out means what the URL's scheme says. */
const tls = z.strictObject({
  caFile: z.string().optional(),
  certFile: z.string().optional(),
  keyFile: z.string().optional(),
  rejectUnauthorized: z.boolean().default(true),
});

/**
 * Every setting, its default and its bounds. Units are in the names. The environment name of a setting is its path in
 * upper snake case behind `COMPLETIOND_`: `limits.payloadBytes` is `COMPLETIOND_LIMITS_PAYLOAD_BYTES`.
 */
export const settingsSchema = z.strictObject({
  database: z
    .strictObject({
      /** `sqlite:PATH`, `postgres://…`, `mysql://…` (MariaDB too). */
      url: url('sqlite', 'postgres', 'postgresql', 'mysql', 'mariadb').default('sqlite:./data/completiond.db'),
      /** Server-side limit of one statement. Must stay well under `queue.lockDurationMs` times its renewals. */
      statementTimeoutMs: milliseconds.default(15_000),
      /** How long a transaction waits for a run's lock before it is requeued. */
      lockTimeoutMs: milliseconds.default(4_000),
      /** PostgreSQL's named prepared statements; switch off behind a pooler in transaction mode. */
      namedStatements: z.boolean().default(true),
      tls: tls.optional(),
    })
    .prefault({}),
  queue: z
    .strictObject({
      /** `embedded:DIRECTORY`, `redis://…`, `rediss://…`, `postgres://…`. */
      url: url('embedded', 'redis', 'rediss', 'postgres', 'postgresql').default('embedded:./data/queue'),
      name: z
        .string()
        .regex(/^[A-Za-z0-9_-]{1,64}$/)
        .default('completions'),
      /** Key prefix on Redis, schema on PostgreSQL. */
      prefix: z
        .string()
        .regex(/^[A-Za-z0-9_{}-]{1,48}$/)
        .default('completiond'),
      /** The URL's node belongs to a Redis Cluster; the prefix then needs a hash tag, `{…}`: a queue lives in one slot. */
      cluster: z.boolean().default(false),
      /** How long a worker owns a job without a sign of life; a killed daemon's jobs wait this long at most. */
      lockDurationMs: z.int().min(1_000).default(5_000),
      stalledIntervalMs: z.int().min(200).default(2_000),
      /** Stalls before BullMQ itself gives a job up; well above what restarts of the daemon can cause. */
      maxStalledCount: count.default(20),
      keepCompletedCount: z.int().min(0).default(10_000),
      keepCompletedSeconds: z.int().min(0).default(86_400),
      tls: tls.optional(),
    })
    .refine(({ cluster, prefix }) => !cluster || /\{[^{}]+\}/.test(prefix), {
      path: ['prefix'],
      error: 'needs a hash tag on a Redis Cluster, like {completiond}',
      when: ({ value }) => typeof (value as { prefix?: unknown } | null)?.prefix === 'string',
    })
    .prefault({}),
  http: z
    .strictObject({
      host: z.string().min(1).default('127.0.0.1'),
      port: z.int().min(0).max(65_535).default(8_630),
      token: z.string().min(8).optional(),
    })
    .refine(({ host, token }) => token !== undefined || isLoopback(host), {
      path: ['host'],
      error: 'needs http.token (COMPLETIOND_HTTP_TOKEN), since it is no loopback address',
      when: ({ value }) => typeof (value as { host?: unknown } | null)?.host === 'string',
    })
    .prefault({}),
  /** Worker threads that apply completions; a database that takes one writer gets one, whatever this says. */
  threads: z.int().min(1).max(256).default(2),
  /** Completions in flight in this daemon; also the number of its database connections for writing. */
  concurrency: z.int().min(1).max(1_024).default(16),
  /** Heap of one thread, in MiB: one that needs more ends alone, and the daemon goes on. */
  threadHeapMb: z.int().min(64).default(1_024),
  shutdownGraceMs: milliseconds.default(10_000),
  /** A daemon that is wedged for so long ends itself, so that whoever runs it starts another; 0 is never. */
  watchdogMs: z.int().min(0).default(60_000),
  logLevel: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  flush: z
    .strictObject({
      /** Rows of one INSERT at most. */
      rows: count.max(1_000).default(100),
      /** Encoded bytes of one INSERT at most, by a conservative estimate; a single larger row goes alone. */
      bytes: bytes.default(1_048_576),
    })
    .prefault({}),
  limits: z
    .strictObject({
      /** One job's data, before it is parsed. */
      jobBytes: bytes.default(67_108_864),
      /** One encoded payload. */
      payloadBytes: bytes.default(2_097_152),
      completionEvents: count.default(5_000),
      completionRows: count.default(20_000),
      completionBytes: bytes.default(33_554_432),
      searchAttributeBytes: bytes.default(40_960),
      memoBytes: bytes.default(262_144),
      pendingActivities: count.default(2_000),
      pendingChildren: count.default(1_000),
      pendingTimers: count.default(2_000),
      pendingSignals: count.default(5_000),
      pendingUpdates: count.default(500),
    })
    .prefault({}),
  requeue: z
    .strictObject({
      firstDelayMs: milliseconds.default(200),
      maxDelayMs: milliseconds.default(30_000),
      /** `retries_exhausted` needs both: this many requeues and this age of the first. */
      maxCount: count.default(50),
      maxAgeMs: milliseconds.default(3_600_000),
    })
    .prefault({}),
  timers: z
    .strictObject({
      /** How often due timers, time-outs and retries are looked for. */
      pollMs: z.int().min(50).default(500),
    })
    .prefault({}),
});

/** The settings in force: read once by `load.ts`, frozen, handed in. */
export type Settings = Readonly<z.infer<typeof settingsSchema>>;
