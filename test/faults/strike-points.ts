import type { StrikePoint } from './fault-wire.ts';

/** The named points of a transaction at which a daemon is killed. */
export const pointNames = [
  'after begin',
  'after the first flush',
  'before COMMIT',
  'between COMMIT and the acknowledgement',
] as const;
export type PointName = (typeof pointNames)[number];

const firstFlush = 'into workflow_history_events';

/** Ends of PostgreSQL's messages in what a client sent: a type byte, then a length that counts itself. */
function messageEnds(sent: Buffer): { type: string; begin: number; end: number }[] {
  const messages: { type: string; begin: number; end: number }[] = [];
  for (let begin = 0; begin + 5 <= sent.length; ) {
    const end = begin + 1 + sent.readInt32BE(begin + 1);
    messages.push({ type: String.fromCharCode(sent[begin] ?? 0), begin, end });
    begin = end;
  }
  return messages;
}

/** Needs a daemon without named statements: then every text is on the wire, every time. */
const onPostgres: Readonly<Record<PointName, StrikePoint>> = {
  'after begin': sent => (sent.includes('begin isolation') ? sent : undefined),
  'after the first flush': sent => {
    const insert = sent.indexOf(firstFlush);
    if (insert === -1) return undefined;
    const sync = messageEnds(sent).find(({ type, begin }) => type === 'S' && begin > insert);
    return sync && sent.subarray(0, sync.end);
  },
  'before COMMIT': sent => {
    const commit = sent.lastIndexOf('commit\0');
    if (commit === -1) return undefined;
    const message = messageEnds(sent).find(({ end }) => end > commit);
    return message && message.begin > 0 ? sent.subarray(0, message.begin) : undefined;
  },
  'between COMMIT and the acknowledgement': sent => (sent.includes('commit\0') ? sent : undefined),
};

/** MySQL's query packet, its text cut short. */
function cutPacket(sent: Buffer, end: number): Buffer | undefined {
  if (end <= 0) return undefined;
  const cut = Buffer.from(sent.subarray(0, end));
  cut.writeUIntLE(cut.length - 4, 0, 3);
  return cut;
}

const onMysql: Readonly<Record<PointName, StrikePoint>> = {
  'after begin': sent => (/begin;/.test(sent.toString('latin1', 4, 32)) ? sent : undefined),
  'after the first flush': sent => {
    const insert = sent.indexOf(firstFlush);
    return insert === -1 ? undefined : cutPacket(sent, sent.indexOf(';\n', insert));
  },
  'before COMMIT': sent => cutPacket(sent, sent.lastIndexOf(';\ncommit')),
  'between COMMIT and the acknowledgement': sent => (sent.includes(';\ncommit') ? sent : undefined),
};

/** Where a point is in the protocol of a database; SQLite has none. */
export function strikePoint(kind: 'postgres' | 'mariadb', point: PointName): StrikePoint {
  return (kind === 'postgres' ? onPostgres : onMysql)[point];
}
