/** PostgreSQL cuts longer identifiers. */
const maxNameLength = 63;

/** Names of prepared statements: one a text, since the driver refuses a known name with another text. */
export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();

  /** @param wanted the name for people who read the server's log; numbered when another text has it. */
  of(wanted: string, text: string): string {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const isFree = wanted.length <= maxNameLength && !this.#taken.has(wanted);
    const name = isFree ? wanted : `${wanted.slice(0, maxNameLength - 8)}-${this.#names.size}`;
    this.#names.set(text, name);
    this.#taken.add(name);
    return name;
  }
}
