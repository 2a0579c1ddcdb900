import type { z } from 'zod';
import { settingsSchema } from './settings.ts';

/** A single setting: where it stands, and what it takes. */
export interface SettingLeaf {
  readonly path: readonly string[];
  readonly schema: z.core.$ZodType;
}

/** What names of settings begin with in the environment. */
export const environmentPrefix = 'COMPLETIOND_';

/** `limits.payloadBytes` → `COMPLETIOND_LIMITS_PAYLOAD_BYTES`. */
export function environmentName(path: readonly string[]): string {
  return environmentPrefix + path.map(key => key.replaceAll(/[A-Z]/g, letter => `_${letter}`).toUpperCase()).join('_');
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  const inner = (schema as { _zod: { def: { innerType?: z.core.$ZodType } } })._zod.def.innerType;
  return inner === undefined ? schema : unwrap(inner);
}

/** Every setting with its path. */
export function settingLeaves(
  schema: z.core.$ZodType = settingsSchema,
  path: readonly string[] = [],
): readonly SettingLeaf[] {
  const { shape } = (unwrap(schema) as { _zod: { def: { shape?: Record<string, z.core.$ZodType> } } })._zod.def;
  if (shape === undefined) return [{ path, schema: unwrap(schema) }];
  return Object.entries(shape).flatMap(([key, child]) => settingLeaves(child, [...path, key]));
}
