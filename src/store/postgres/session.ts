import type { OpenOptions } from '../open-store.ts';
import type { Limits } from './options.ts';
import type { Outgoing } from './pipeline.ts';
import { StatementNames } from './statement-names.ts';
import { beginTransaction, setLocal } from './statements.ts';

/**
 * How a store speaks to its server. By default a session is set up at connect and keeps statements prepared. Behind a pooler
 * in transaction mode sessions are nobody's: nothing stays prepared, and every transaction brings its own settings.
 */
export class Session {
  readonly #names: StatementNames | undefined;
  /** What opens a transaction. */
  readonly begin: readonly Outgoing[];
  /** In force from connect on; undefined when every transaction sets its own. */
  readonly limits: Limits | undefined;

  constructor({ namedStatements, statementTimeoutMs, lockTimeoutMs }: OpenOptions['database']) {
    const begin = { label: 'begin', text: beginTransaction };
    if (namedStatements) {
      this.#names = new StatementNames();
      this.limits = { statementTimeoutMs, lockTimeoutMs };
      this.begin = [begin];
    } else {
      const values = [statementTimeoutMs, lockTimeoutMs, statementTimeoutMs].map(String);
      this.begin = [begin, { label: 'set-local', text: setLocal, values }];
    }
  }

  /** Whether settings hold only inside transactions. */
  get isPooled(): boolean {
    return this.limits === undefined;
  }

  /** @param isVolatile a text of endless variants: never kept prepared. */
  outgoing(name: string, text: string, values: readonly (string | null)[], isVolatile = false): Outgoing {
    const preparedName = isVolatile ? undefined : this.#names?.of(name, text);
    return { label: name, text, values, preparedName };
  }
}
