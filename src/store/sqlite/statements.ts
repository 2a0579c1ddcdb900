import type { Grammar } from '../statement.ts';

/** `begin immediate` makes a transaction the only writer: rows need no locks of their own. */
export const grammar: Grammar = { forUpdate: '', forUpdateSkipLocked: '' };

/** Parameters: count, run id. */
export const allocateSequences = `update workflow_runs set last_history_sequence = last_history_sequence + ?
  where id = ? returning last_history_sequence`;
