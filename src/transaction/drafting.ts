import { randomInt } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import type { EncodedPayload, EventDraft, PrepareContext, RowDraft } from '../commands/command.ts';
import type { Payload } from '../commands/fields.ts';
import { members } from '../commands/json-members.ts';
import type { Instant } from '../store/instant.ts';
import { estimateBytes, type NewRow, type Table } from '../store/table.ts';

/** An event's columns beside its payload, as the estimate of a row counts them: eight values and four ULIDs. */
const eventFixedBytes = 8 * 16 + 4 * 26;

/** Crockford's base 32. */
const ulidCharacters = 32;

/** Where the drafts of a transaction come from. */
export interface DraftSource {
  readonly now: Instant;
  readonly taskId: string;
  readonly leaseOwner: string;
  /** Bytes of one payload at most: setting `limits.payloadBytes`. */
  readonly payloadBytes: number;
}

/** Makes ids, rows and events without a database; notes payloads that are too large by their path. */
export class Drafting implements PrepareContext {
  readonly now: Instant;
  readonly taskId: string;
  readonly leaseOwner: string;
  readonly newId: () => string;
  /** One line a payload that is over the limit. */
  readonly tooLarge: string[] = [];
  /** Put in front of a field's name: the command's place. */
  path = '';
  readonly #payloadBytes: number;

  constructor(source: DraftSource) {
    this.now = source.now;
    this.taskId = source.taskId;
    this.leaseOwner = source.leaseOwner;
    this.#payloadBytes = source.payloadBytes;
    // The library's own generator asks the system for every character.
    const ulid = monotonicFactory(() => randomInt(ulidCharacters) / ulidCharacters);
    this.newId = () => ulid(source.now.ms);
  }

  payload(field: string, value: Payload | undefined, codec: string | undefined): EncodedPayload | undefined {
    if (value === undefined) return undefined;
    const encoded = typeof value === 'string' ? { codec, blob: value } : { codec: value.codec, blob: value.blob };
    this.checkSize(field, encoded.blob);
    return encoded;
  }

  checkSize(field: string, text: string | undefined): void {
    // A UTF-16 unit is at most three bytes of UTF-8: most texts need no counting.
    if (text === undefined || text.length * 3 <= this.#payloadBytes) return;
    const bytes = Buffer.byteLength(text);
    if (bytes > this.#payloadBytes)
      this.tooLarge.push(
        `${this.path}${field}: ${bytes} bytes, the limit is ${this.#payloadBytes} (limits.payloadBytes)`,
      );
  }

  event(type: string, payload: object | string, commandId?: string): EventDraft {
    const text = typeof payload === 'string' ? payload : members(payload);
    return { id: this.newId(), type, members: text, commandId, bytes: eventFixedBytes + Buffer.byteLength(text) };
  }

  row<T extends Table>(table: T, row: NewRow<T>): RowDraft<T> {
    return { table, row, bytes: estimateBytes(table, row) };
  }
}
