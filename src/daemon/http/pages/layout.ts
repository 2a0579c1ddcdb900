import { type Fragment, type Html, html } from './html.ts';

/** What every page has. */
export interface Page {
  readonly title: string;
  /** Scripts and styles under `/assets/`, beside the common style. */
  readonly assets?: readonly string[];
  /** Whether there is a session that can be ended. */
  readonly signedIn?: boolean;
  readonly main: Fragment;
}

const navigation = (signedIn: boolean) => html`<nav aria-label="Main">
      <a href="/">Dashboard</a>
      <a href="/queues/">Queues</a>
      <a href="/metrics">Metrics</a>
      ${signedIn && html`<form method="post" action="/sign-out"><button class="quiet">Sign out</button></form>`}
    </nav>`;

const style = (name: string) => html`<link rel="stylesheet" href="/assets/${name}">`;

/** A whole document. */
export function layout({ title, assets = [], signedIn, main }: Page): Html {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title} · completiond</title>
    <link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
    ${style('style.css')}
    ${assets.map(name => (name.endsWith('.css') ? style(name) : html`<script type="module" src="/assets/${name}"></script>`))}
  </head>
  <body>
    <a class="skip" href="#main">Skip to the content</a>
    <header class="top">
      <a class="brand" href="/"><img src="/assets/icon.svg" alt="" width="22" height="22">completiond</a>
      ${signedIn !== undefined && navigation(signedIn)}
    </header>
    <main id="main">${main}</main>
  </body>
</html>
`;
}
