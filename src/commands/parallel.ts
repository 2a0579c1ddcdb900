import { z } from 'zod';
import { name, nonNegativeInt, positiveInt } from './fields.ts';

/** Fields of a command that is waited for together with others. */
export const parallelFields = {
  parallel_group_id: name.nullish(),
  parallel_group_kind: name.nullish(),
  parallel_group_base_sequence: positiveInt.nullish(),
  parallel_group_size: positiveInt.nullish(),
  parallel_group_index: nonNegativeInt.nullish(),
  parallel_group_path: z.array(z.json()).nullish(),
};

/** A command's place in its group, as events and rows carry it. */
export interface ParallelGroup {
  readonly parallel_group_id: string;
  readonly parallel_group_kind?: string | undefined;
  readonly parallel_group_base_sequence?: number | undefined;
  readonly parallel_group_size: number;
  readonly parallel_group_index: number;
  readonly parallel_group_path?: readonly unknown[] | undefined;
}

type Fields = Partial<z.output<z.ZodObject<typeof parallelFields>>>;

/** The group of a command; undefined when it is in none. What does not hold together is left to `parallelProblems`. */
export function parallelGroup(command: Fields): ParallelGroup | undefined {
  const id = command.parallel_group_id;
  if (!id) return undefined;
  return {
    parallel_group_id: id,
    parallel_group_kind: command.parallel_group_kind ?? undefined,
    parallel_group_base_sequence: command.parallel_group_base_sequence ?? undefined,
    parallel_group_size: command.parallel_group_size ?? 0,
    parallel_group_index: command.parallel_group_index ?? 0,
    parallel_group_path: command.parallel_group_path ?? undefined,
  };
}

interface Member {
  readonly path: string;
  readonly fields: Fields;
}

function problemsOfGroup(members: readonly Member[]): string[] {
  const [first] = members;
  const indexes = new Set<number>();
  return members.flatMap(({ path, fields }) => {
    const problems: string[] = [];
    const report = (field: string, message: string) => problems.push(`${path}.${field}: ${message}`);
    const { parallel_group_size: size, parallel_group_index: index } = fields;
    if (!size) report('parallel_group_size', 'required in a group');
    if (typeof index !== 'number') report('parallel_group_index', 'required in a group');
    else {
      if (size && index >= size) report('parallel_group_index', `must be under the group's size ${size}`);
      if (indexes.has(index)) report('parallel_group_index', 'another member of the group has it');
      indexes.add(index);
    }
    for (const field of ['parallel_group_kind', 'parallel_group_base_sequence', 'parallel_group_size'] as const)
      if (first && (fields[field] ?? null) !== (first.fields[field] ?? null))
        report(field, "differs from the group's first member");
    return problems;
  });
}

/** Everything that does not hold together in a completion's parallel groups; the paths name the commands. */
export function parallelProblems(commands: readonly { readonly value: object; readonly index: number }[]): string[] {
  const groups = new Map<string, Member[]>();
  const strays: string[] = [];
  for (const { value, index } of commands) {
    const fields = value as Fields;
    const id = fields.parallel_group_id;
    const path = `commands.${index}`;
    if (id) groups.set(id, [...(groups.get(id) ?? []), { path, fields }]);
    else if (fields.parallel_group_size || typeof fields.parallel_group_index === 'number')
      strays.push(`${path}.parallel_group_id: required in a group`);
  }
  return [...strays, ...[...groups.values()].flatMap(problemsOfGroup)];
}
