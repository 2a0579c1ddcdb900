import type { Figure } from './series.ts';

/** A row of the goals table: a quotient that is to be at most, or at least, so much. */
export interface Goal {
  readonly name: string;
  readonly title: string;
  readonly bound: 'at most' | 'at least';
  readonly goal: number;
}

/** What is to be reached; measured by the measure of the same name. */
export const goals = [
  {
    name: 'postgres-5',
    title: 'PostgreSQL, 5 records, 1 in flight: time under the lock / row at a time',
    bound: 'at most',
    goal: 1 / 5,
  },
  { name: 'postgres-40', title: 'PostgreSQL, 40 records and a side effect: the same', bound: 'at most', goal: 1 / 8 },
  { name: 'mariadb-5', title: 'MariaDB, 5 records: the same', bound: 'at most', goal: 1 / 4 },
  { name: 'mariadb-40', title: 'MariaDB, 40 records and a side effect: the same', bound: 'at most', goal: 1 / 5 },
  { name: 'sqlite-5', title: 'SQLite, 5 records: the same, its statements kept prepared', bound: 'at most', goal: 1 },
  { name: 'sqlite-40', title: 'SQLite, 40 records and a side effect: the same', bound: 'at most', goal: 1 },
  {
    name: 'direct-16',
    title: 'PostgreSQL, 16 in flight, applied directly: completions/s / row at a time',
    bound: 'at least',
    goal: 4,
  },
  {
    name: 'daemon-16',
    title: 'Whole daemon (Redis, PostgreSQL), 16 in flight: completions/s / row at a time',
    bound: 'at least',
    goal: 3,
  },
  { name: 'daemon-dbos', title: "The same / DBOS's workflows of 5 steps, 16 in flight", bound: 'at least', goal: 5 },
  { name: 'daemon-pool', title: 'The same / the same pool without a queue', bound: 'at least', goal: 0.85 },
  {
    name: 'side-by-side',
    title: 'PostgreSQL, applied directly: completions/s at 16 in flight / at 1',
    bound: 'at least',
    goal: 2,
  },
  {
    name: 'daemon-cpu',
    title: "Node's CPU a completion of 5 records, whole daemon / row at a time",
    bound: 'at most',
    goal: 1 / 3,
  },
  { name: 'growth', title: 'A record in a completion of 1,000 / in one of 5', bound: 'at most', goal: 0.5 },
  { name: 'memory', title: 'Memory, last tenth of a soak / second tenth', bound: 'at most', goal: 1 },
  {
    name: 'statements-postgres',
    title: 'PostgreSQL, 5 records: statements, begin and commit counted',
    bound: 'at most',
    goal: 12,
  },
  { name: 'statements-mariadb', title: 'MariaDB, 5 records: the same', bound: 'at most', goal: 12 },
  { name: 'trips-postgres', title: 'PostgreSQL, 5 records: round trips', bound: 'at most', goal: 4 },
  { name: 'trips-mariadb', title: 'MariaDB, 5 records: the same', bound: 'at most', goal: 4 },
] as const satisfies readonly Goal[];

export type GoalName = (typeof goals)[number]['name'];

/** A goal and what was measured; `figures` are what the quotient was made from. */
export interface Reached {
  readonly name: GoalName;
  readonly ratio: Figure;
  readonly figures: Readonly<Record<string, Figure>>;
}

export function isReached({ bound, goal }: Goal, { ratio }: Reached): boolean {
  return bound === 'at most' ? ratio.median <= goal : ratio.median >= goal;
}
