import { type Html, html } from './html.ts';
import { layout } from './layout.ts';

/** The form that takes the token. @param next where to go on; @param failed whether a token was given and is not the one. */
export function signInPage(next: string, failed: boolean): Html {
  return layout({
    title: 'Sign in',
    main: html`<form class="card sign-in" method="post" action="/sign-in">
      <h1>Sign in</h1>
      <p>This daemon has an access token: the setting <code>http.token</code>, or <code>COMPLETIOND_HTTP_TOKEN</code>.</p>
      ${failed && html`<p class="problem" role="alert">This is not the token.</p>`}
      <label for="token">Token</label>
      <input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
      <input name="next" type="hidden" value="${next}">
      <button>Sign in</button>
    </form>`,
  });
}
