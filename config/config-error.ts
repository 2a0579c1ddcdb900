/** Bad settings, all of them in one message; it never holds a secret. */
export class ConfigError extends Error {
  readonly code = 'invalid_settings';
  /** One line a mistake: the setting, where its value came from, what is wrong. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`invalid settings:\n${problems.map(problem => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}
