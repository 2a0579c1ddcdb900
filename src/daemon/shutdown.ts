/** Steps of a start with what undoes each: the stop runs them in exactly the reverse order. */
export class Shutdown {
  readonly #steps: { readonly name: string; readonly undo: () => Promise<void> | void }[] = [];
  readonly #onError: (step: string, error: unknown) => void;

  constructor(onError: (step: string, error: unknown) => void) {
    this.#onError = onError;
  }

  /** Notes how to undo what was just started. */
  add(name: string, undo: () => Promise<void> | void): void {
    this.#steps.push({ name, undo });
  }

  /** Undoes everything, last first. A step that fails is reported, and the rest goes on. */
  async run(): Promise<void> {
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step.undo();
      } catch (error) {
        this.#onError(step.name, error);
      }
    }
  }
}
