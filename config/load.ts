import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from './config-error.ts';
import { packageRoot } from './package-root.ts';
import { settingProblems } from './setting-problem.ts';
import { type Settings, settingsSchema } from './settings.ts';
import { type Environment, readEnvironment, readSettingsFile } from './settings-source.ts';
import { freeze, merge, type Tree } from './tree.ts';

/** Where settings come from beside the defaults. */
export interface SettingsSources {
  /** A JSON file that wins over the package's own. */
  readonly configFile?: string | undefined;
  readonly env?: Environment;
}

/** The package's own files: `config/default.json` and, where there is one, `config/<NODE_ENV>.json`. */
function ownFiles(env: Environment): readonly string[] {
  return ['default', env.NODE_ENV ?? '']
    .filter(name => /^[a-z]+$/.test(name))
    .map(name => join(packageRoot, 'config', `${name}.json`))
    .filter(file => existsSync(file));
}

/**
 * The settings in force: `config/default.json` ← `config/<NODE_ENV>.json` ← `configFile` ← environment, frozen.
 * @throws ConfigError naming every bad key and value at once.
 */
export function loadSettings({ configFile, env = process.env }: SettingsSources = {}): Settings {
  const files = [...ownFiles(env), ...(configFile === undefined ? [] : [configFile])];
  const sources = [...files.map(readSettingsFile), readEnvironment(env)];
  const parsed = settingsSchema.safeParse(sources.reduce<Tree>((settings, { tree }) => merge(settings, tree), {}));
  const problems = sources.flatMap(source => source.problems);
  if (!parsed.success) problems.push(...parsed.error.issues.flatMap(issue => settingProblems(issue, sources)));
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return freeze(parsed.data);
}
