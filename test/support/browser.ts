import assert from 'node:assert/strict';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { binaryPath } from './servers/install.ts';

/** Chromium, whose pages are watched: errors in the console, uncaught ones, and requests that leave the daemon. */
export class TestBrowser {
  readonly #browser: Browser;
  readonly #origin: string;
  readonly #complaints: string[] = [];

  private constructor(browser: Browser, origin: string) {
    this.#browser = browser;
    this.#origin = origin;
  }

  /** @param origin the daemon's address: what is asked of any other is a complaint. */
  static async launch(origin: string): Promise<TestBrowser> {
    const executablePath = process.env.COMPLETIOND_TEST_CHROMIUM || binaryPath('chromium');
    return new TestBrowser(await chromium.launch({ executablePath }), origin);
  }

  /** A page in a session of its own, 1280 by 900 unless said. */
  async page(options: BrowserContextOptions = {}): Promise<Page> {
    const size = { width: 1_280, height: 900 };
    const context = await this.#browser.newContext({ baseURL: this.#origin, viewport: size, ...options });
    const page = await context.newPage();
    page.on('console', message => {
      if (message.type() === 'error') this.#complaints.push(`console: ${message.text()}`);
    });
    page.on('pageerror', error => this.#complaints.push(`uncaught: ${error.message}`));
    page.on('request', request => {
      const isOwn = request.url().startsWith(`${this.#origin}/`) || request.url().startsWith('data:');
      if (!isOwn) this.#complaints.push(`request: ${request.url()}`);
    });
    return page;
  }

  /** What was complained of since this was asked last. */
  complaints(): string[] {
    return this.#complaints.splice(0);
  }

  /** No page complained of anything that was not asked for. */
  async close(): Promise<void> {
    await this.#browser.close();
    assert.deepEqual(this.complaints(), []);
  }
}
