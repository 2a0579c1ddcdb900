import { type Html, html } from './html.ts';
import { layout } from './layout.ts';

/** What people see in place of a page. */
export function errorPage(status: number, message: string): Html {
  return layout({
    title: `${status}`,
    main: html`<div class="card"><h1>${status}</h1><p role="alert">${message}</p><p><a href="/">To the dashboard</a></p></div>`,
  });
}
